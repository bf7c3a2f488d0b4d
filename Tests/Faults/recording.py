"""The recording of shim/files.c, and the disk as it may be after a power cut in the midst of it.

A disk keeps synced data for certain. Of later writes it may keep any part: each 512 bytes of a write, each truncation,
and the first changes of names. After a sync that failed Linux takes the pages for clean: their content is read from
memory, but reaches the disk only if a page is written once more (see the PostgreSQL wiki, "Fsync Errors"), and then as
a whole.
"""

import dataclasses
import pathlib
import struct

SECTOR = 512
PAGE = 4096
RECORD = struct.Struct("<cBHIQQqQ")


@dataclasses.dataclass(frozen=True)
class Record:
    operation: str
    failed: bool
    process: int
    # CLOCK_MONOTONIC when the call had ended, in nanoseconds.
    at: int
    name: str
    inode: int
    # The offset of a write, the length of a truncation.
    offset: int
    data: bytes


def read(path):
    """The records in their order. The last one may be cut off, if its process was killed."""
    trace = pathlib.Path(path).read_bytes()
    records, place = [], 0
    while place + RECORD.size <= len(trace):
        operation, failed, name_length, process, at, inode, offset, length = RECORD.unpack_from(trace, place)
        name = place + RECORD.size
        data = name + name_length
        place = data + length
        if place > len(trace):
            break
        records.append(
            Record(
                operation.decode(),
                bool(failed),
                process,
                at,
                trace[name:data].decode(),
                inode,
                offset,
                trace[data:place],
            )
        )
    return records


class _File:
    """One file's bytes, in memory and on disk."""

    def __init__(self, content=b""):
        self.seen = bytearray(content)
        self.synced = bytearray(content)
        # Writes and truncations since the last sync, as pairs of an offset and bytes, or of a length and None.
        self.pending = []
        # Pages that a failed sync has left clean, and other than on disk.
        self.forsaken = set()

    def write(self, offset, data):
        _put(self.seen, offset, data)
        first, last = offset // PAGE, (offset + len(data) - 1) // PAGE
        for page in self.forsaken.intersection(range(first, last + 1)):
            self.pending.append((page * PAGE, bytes(self.seen[page * PAGE : (page + 1) * PAGE])))
            self.forsaken.discard(page)
        self.pending.append((offset, data))

    def truncate(self, length):
        _resize(self.seen, length)
        self.pending.append((length, None))

    def sync(self):
        for change in self.pending:
            _apply(self.synced, change)
        self.pending = []

    def fail_to_sync(self):
        for offset, data in self.pending:
            if data:
                self.forsaken.update(range(offset // PAGE, (offset + len(data) - 1) // PAGE + 1))
        self.pending = [change for change in self.pending if change[1] is None]

    def after_cut(self, chances, part):
        content = bytearray(self.synced)
        for offset, data in self.pending:
            if data is None:
                if chances.random() < part:
                    _resize(content, offset)
                continue
            end = offset + len(data)
            while offset < end:
                next_sector = min((offset // SECTOR + 1) * SECTOR, end)
                if chances.random() < part:
                    _put(content, offset, data[len(data) - (end - offset) : len(data) - (end - next_sector)])
                offset = next_sector
        return bytes(content)


class Disk:
    """The files of a folder, while records are applied to them."""

    def __init__(self, folder):
        """As the folder is now; take it before the recording begins. All of it counts as synced."""
        self._names, self._inodes = {}, {}
        for path in pathlib.Path(folder).iterdir():
            if path.is_file():
                file = _File(path.read_bytes())
                self._names[path.name] = self._inodes[path.stat().st_ino] = file
        self._synced_names = dict(self._names)
        self._pending_names = []

    def apply(self, record):
        if record.operation == "C":
            self._inodes[record.inode] = file = _File()
            self._rename(lambda names: names.__setitem__(record.name, file))
        if record.failed and record.operation != "S":
            return
        file = self._inodes.get(record.inode)
        match record.operation:
            case "W":
                file.write(record.offset, record.data)
            case "T":
                file.truncate(record.offset)
            case "S":
                file.fail_to_sync() if record.failed else file.sync()
            case "U":
                self._rename(lambda names: names.pop(record.name, None))
            case "R":
                self._rename(lambda names: names.__setitem__(record.data.decode(), names.pop(record.name)))
            case "D":
                for change in self._pending_names:
                    change(self._synced_names)
                self._pending_names = []

    def after_cut(self, chances, part):
        """The files by name. `part` is the share of unsynced changes that is there, from 0 to 1."""
        kept = round(len(self._pending_names) * part)
        names = dict(self._synced_names)
        for change in self._pending_names[:kept]:
            change(names)
        return {name: file.after_cut(chances, part) for name, file in names.items()}

    def _rename(self, change):
        change(self._names)
        self._pending_names.append(change)


def _put(content, offset, data):
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _resize(content, length):
    del content[length:]
    content.extend(bytes(length - len(content)))


def _apply(content, change):
    offset, data = change
    if data is None:
        _resize(content, offset)
    else:
        _put(content, offset, data)
