"""What is known of an organization."""


class Organization:
    def __init__(self, identifier):
        self.id = identifier
        # Pairs of ids, by what they are of, as paths say it: `projects`.
        self.known = {"members": []}
        self.gone = []
        self.tokens = []
        # Projects that segments are of: they are never deleted.
        self.worked_on = []
        self.cursors = []
        self.etags = {}
        # The tokens of those to whom alone something belongs, by its id.
        self.owners = {}
