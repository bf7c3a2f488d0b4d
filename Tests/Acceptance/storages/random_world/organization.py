"""The known ids of an organization."""


class Organization:
    def __init__(self, identifier):
        self.id = identifier
        # Pairs of ids, by their kinds, in the words of paths: `projects`.
        self.known = {"members": []}
        self.gone = []
        self.tokens = []
        # Projects that segments are of: they are never deleted.
        self.worked_on = []
        self.cursors = []
        self.etags = {}
        # The tokens of owners of private records, by the record's id.
        self.owners = {}
