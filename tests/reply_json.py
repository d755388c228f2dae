"""JSON objects in a reply, for the slow twin: where they end, break or are cut off."""

from __future__ import annotations

import json
import re

from tests import reply_words as words

SPACE = re.compile("[ \t\n\r]*")
STRING = re.compile(r'"((?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)')
DIGITS = re.compile("[0-9]+")
LITERALS = {"t": "true", "f": "false", "n": "null", "N": "NaN", "I": "Infinity"}
DEEPEST = 128


class Broken(Exception):
    """The text is no JSON from a place on."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at
        self.complete: dict[int, tuple[int, object]] = {}


class CutOff(Exception):
    """The text ends in the middle of an object."""


class Container:
    def __init__(self, start: int, array: bool, key: str, agreement) -> None:
        self.start, self.array, self.key = start, array, key
        self.field, self.named, self.plain = agreement(), agreement(), agreement()
        self.top: float | None = None
        self.own = self.foreign = False


def scan(text: str, start: int, twin):
    """Return the end of the object that begins at a brace, and its named and plain scores."""
    complete: dict[int, tuple[int, object]] = {}
    try:
        return Parser(text, start, twin, complete).run()
    except Broken as failure:
        failure.at = max(failure.at, start + 1)
        failure.complete = complete
        raise
    except CutOff:
        if SPACE.match(text, start + 1).end() < len(text):
            raise
        raise Broken(len(text)) from None


class Parser:
    def __init__(self, text, start, twin, complete) -> None:
        from tests.reply_twin import Agreement

        self.text, self.at, self.twin, self.complete = text, start, twin, complete
        self.agreement = Agreement
        self.stack: list[Container] = []

    def run(self):
        self.open("neutral")
        while True:
            container = self.stack[-1]
            key = container.key
            if not container.array:
                key = self.key(self.string())
                if self.peek() != ":":
                    raise Broken(self.at)
                self.at += 1
            if self.peek() in "{[":
                if self.open(key):
                    continue
            else:
                kind, value = self.scalar()
                if not container.array:
                    self.keep(container, key, kind, value)
            while True:
                next_ = self.peek()
                if next_ == ",":
                    self.at += 1
                    break
                if next_ != ("]" if self.stack[-1].array else "}"):
                    raise Broken(self.at)
                self.at += 1
                findings = self.close()
                if not self.stack:
                    return self.at, findings

    def peek(self) -> str:
        self.at = SPACE.match(self.text, self.at).end()
        if self.at == len(self.text):
            raise CutOff
        return self.text[self.at]

    def open(self, key: str) -> bool:
        if len(self.stack) == DEEPEST:
            raise Broken(self.at)
        array = self.peek() == "["
        self.stack.append(Container(self.at, array, key, self.agreement))
        self.at += 1
        if self.peek() == ("]" if array else "}"):
            self.at += 1
            self.close()
            if not self.stack:
                raise Broken(self.at)
            return False
        return True

    def close(self):
        done = self.stack.pop()
        if done.top is not None and done.top != self.twin.high and done.field.result() is not None:
            done.field.add("other_scale")
        plain = done.plain if done.field.result() is None else done.field
        if done.own:
            done.named.merge(plain)
        if done.own or done.foreign:
            plain = self.agreement()
        if self.stack:
            parent = self.stack[-1]
            parent.named.merge(done.named)
            if done.key == "own":
                parent.named.merge(plain)
            elif done.key == "neutral":
                parent.plain.merge(plain)
            elif done.key == "field" and (done.array or plain.result() is None):
                parent.field.add("not_a_number")
            elif done.key == "field":
                parent.field.merge(plain)
            if not done.array:
                for inner in [start for start in self.complete if start > done.start]:
                    del self.complete[inner]
                self.complete[done.start] = self.at, (done.named, plain)
        return done.named, plain

    def key(self, name: str) -> str:
        if self.twin.field.fullmatch(name):
            return "field"
        if self.twin.own.fullmatch(name):
            return "own"
        known = re.sub("[A-Z]", lambda found: found[0].lower(), re.sub("[ -]", "_", name))
        if known in words.NEUTRAL_KEYS:
            return "neutral"
        if known in words.TOP_KEYS:
            return "top"
        return "naming" if known in words.NAMING_KEYS else "other"

    def keep(self, container: Container, key: str, kind: str, value) -> None:
        from tests.reply_twin import NUMBER

        reading = "not_a_number"
        if kind == "number":
            reading = value
        elif kind == "text":
            alone = self.twin.alone(value)
            reading = reading if alone is None else alone
        if key == "field":
            container.field.add(reading)
        elif key == "own":
            if kind == "number" or (kind == "text" and NUMBER.match(value)):
                container.named.add(reading)
        elif key == "top" and kind == "number":
            container.top = value
        elif key == "naming" and kind == "text":
            if self.twin.own.fullmatch(value):
                container.own = True
            else:
                container.foreign = value.count(" ") < 3

    def scalar(self):
        first = self.peek()
        if first == '"':
            return "text", self.string()
        if first in LITERALS:
            return self.literal(LITERALS[first])
        if first == "-" or "0" <= first <= "9":
            return self.number()
        raise Broken(self.at)

    def literal(self, word: str):
        for letter in word:
            if self.at == len(self.text):
                raise CutOff
            if self.text[self.at] != letter:
                raise Broken(self.at)
            self.at += 1
        return "literal", None

    def digits(self) -> None:
        found = DIGITS.match(self.text, self.at)
        if not found:
            raise CutOff if self.at == len(self.text) else Broken(self.at)
        self.at = found.end()

    def skip(self, letters: str) -> bool:
        found = self.text[self.at : self.at + 1]
        matches = bool(found) and found in letters
        self.at += matches
        return matches

    def number(self):
        start = self.at
        if self.skip("-") and self.text.startswith("I", self.at):
            return self.literal("Infinity")
        if not self.skip("0"):
            self.digits()
        if self.skip("."):
            self.digits()
        if self.skip("eE"):
            self.skip("+-")
            self.digits()
        return "number", float(self.text[start : self.at])

    def string(self) -> str:
        if self.peek() != '"':
            raise Broken(self.at)
        found = STRING.match(self.text, self.at)
        end = found.end()
        if end == len(self.text):
            raise CutOff
        if self.text[end] == '"':
            self.at = end + 1
            return json.loads(f'{found[0]}"', strict=False)
        # A backslash, and no escape behind it.
        partial = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?").match(self.text, end).end()
        if partial == len(self.text):
            raise CutOff
        raise Broken(partial)
