"""SQLite's log of committed pages, as its file is laid out (sqlite.org/fileformat2.html, section 4.1)."""

import os
import struct

HEADER = struct.Struct(">8I")
FRAME = struct.Struct(">6I")


def commits(path):
    """The offsets of the transactions' ends in the log's file."""
    with open(path, "rb") as file:
        head = file.read(HEADER.size)
        if len(head) < HEADER.size:
            return []
        page_size, salts = HEADER.unpack(head)[2], HEADER.unpack(head)[4:6]
        ends = []
        while len(frame := file.read(FRAME.size + page_size)) == FRAME.size + page_size:
            _page, pages_after_commit, *frame_salts = FRAME.unpack(frame[: FRAME.size])[:4]
            # Left from before the log restarted.
            if tuple(frame_salts) != salts:
                break
            if pages_after_commit:
                ends.append(file.tell())
        return ends


def drop_last_commits(path, count):
    """Cuts the last transactions off, as if they had never reached the disk."""
    ends = commits(path)
    if ends:
        os.truncate(path, ends[-count - 1] if len(ends) > count else HEADER.size)
