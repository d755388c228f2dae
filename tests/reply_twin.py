"""The slow twin of the reply parser: the written rules once more, with `re` and plain loops.

It is written from the rules that open ``rust/src/reply/mod.rs``, shares nothing with the core, and
works on one text at a time. Tests compare the two; a benchmark may time it.
"""

from __future__ import annotations

import math
import re

from tests import reply_words as words
from tests.reply_json import BrokenError, CutOffError, scan

BLANK = " \t\x0b\x0c\xa0\u202f\u3000"
MARKS = (
    "\xa0-\xbf\u2000-\u206f\u2190-\u2bff\u3000-\u301f\ufe0f\ufe50-\ufe6f\uff01-\uff0f\uff1a-\uff20"
    "\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff"
)
W = (
    "[A-Za-z0-9\x80-\x9f\xc0-\u1fff\u2070-\u218f\u2c00-\u2fff\u3020-\ufe0e\ufe10-\ufe4f\ufe70-\uff00"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\U0001efff\U0001fb00-\U0010ffff]"
)
FRAME = BLANK + "*_`~\"'“”‘’«»"
OPENING = FRAME + "(\\[（【「"
CLOSING = FRAME + ")\\]}|）】」"
GAP = BLANK + "*_\\-"
LEAD = BLANK + "#*_>\\-+~`\"'|{\\[(" + MARKS
DASH = "\\-~\u2010-\u2015\u2043\u2053−\u223c\u2500〜\ufe58\ufe63\uff0d\uff5e"
NUMERAL = "\xbc-\xbe\u2150-\u215f\u2189\uff10-\uff19"
JOINING = DASH + ":：=|"


def runs(members: str) -> re.Pattern[str]:
    return re.compile(f"[{members}]*")


blanks, frame, opening, closing, gap, lead = map(runs, (BLANK, FRAME, OPENING, CLOSING, GAP, LEAD))
opening_lines = runs(OPENING + "\n\r")
spaces = runs(BLANK + "\n\r")
word_run = re.compile(f"{W}*")
ends_line = re.compile(r"[\n\r]|\Z")
NUMBER = re.compile(r"([+\-−]?)([0-9]+(?:\.[0-9]+)?|\.[0-9]+)")
PERCENT = re.compile("[%％﹪٪‰‱]")
OTHER_MARK = f"(?![{DASH}{CLOSING}…→⁄／])[{MARKS}]"
MORE = re.compile(
    f"[+^°±²³¹{NUMERAL}]|(?:[.,:\\\\]|{OTHER_MARK})[0-9{NUMERAL}]|['’_]{W}"
    f"|[\\-‐‑](?![0-9{NUMERAL}]|\\.[0-9]|[+\\-−]\\.?[0-9]){W}|(?![分点點점](?!{W})){W}"
)
ARROW = re.compile(rf"[-=]>|\.\.+|[…→&]|[{DASH}]")
numeral = re.compile(f"[{NUMERAL}]")
EMPHASIS = re.compile("</?(?:b|i|em|strong)>", re.IGNORECASE | re.ASCII)


def size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def lower(text: str) -> str:
    return re.sub("[A-Z]+", lambda found: found[0].lower(), text)


def tokens(text: str) -> tuple[str, ...]:
    return tuple(lower(word) for word in re.findall(f"{W}+", text))


def phrase(text: str) -> str:
    inner = f"[{GAP}]+".join(map(re.escape, tokens(text)))
    return f"(?:{inner})(?!{W})"


class FlawError(Exception):
    """A number that is no score."""


class Agreement:
    def __init__(self) -> None:
        self.values: set[float] = set()
        self.flaw: str | None = None

    def add(self, reading: float | str) -> None:
        if isinstance(reading, str):
            self.flaw = self.flaw or reading
        else:
            self.values.add(reading)

    def merge(self, other: Agreement) -> None:
        self.values |= other.values
        self.flaw = self.flaw or other.flaw

    def result(self) -> float | str | None:
        if len(self.values) > 1:
            return "several"
        return self.flaw or next(iter(self.values), None)


class Twin:
    """A rubric's levels as (low, high, label, description), and what announces its score."""

    def __init__(self, levels, names=(), others=None, field="score", markers=()):
        self.levels = list(levels)
        self.low = min(low for low, *_ in self.levels)
        self.high = max(high for _, high, *_ in self.levels)
        self.named_only = others is not None
        alternatives = lambda texts: "|".join(  # noqa: E731
            phrase(text) for text in sorted(texts, key=lambda t: -len(tokens(t))) if tokens(text)
        )
        keywords = alternatives([*words.KEYWORDS, field, *markers])
        name = alternatives(names) or "(?!)"
        flags = re.IGNORECASE | re.ASCII
        self.keyword = re.compile(keywords, flags)
        self.name = re.compile(name, flags)
        self.other = re.compile(alternatives(others or ()) or "(?!)", flags)
        qualifier = f"(?:{'|'.join(words.QUALIFIERS)})(?!{W})"
        named = sorted((tokens(text) for text in names), key=lambda found: -len(found))
        self.name_tokens = [found for found in named if found]
        self.field = re.compile(f"(?:{qualifier}[{GAP}]+)?{phrase(field)}", flags)
        self.own = re.compile(f"(?:{name})(?:[{GAP}]+(?:{keywords}))?", flags)
        self.texts: dict[str, float | str] = {}
        for low, high, label, description in self.levels:
            score = low if low == high else "several"
            for text in {self.bare(f"{label}: {description}"), self.bare(description)} - {""}:
                self.texts[text] = score if self.texts.get(text, score) == score else "several"

    @staticmethod
    def bare(line: str) -> str:
        line = line[lead.match(line).end() :]
        line = re.sub(f"[{CLOSING}.!。]+\\Z", "", line)
        return " ".join(re.sub("[*_`]", "", line).split()).casefold()

    # Numbers

    def read(self, text: str, at: int) -> tuple[float | str, int] | None:
        found = NUMBER.match(text, at)
        if not found:
            return None
        try:
            return self.value(found), self.rest(text, self.suffix(text, found.end()), True)
        except FlawError as flaw:
            return str(flaw), found.end()

    @staticmethod
    def value(found: re.Match[str]) -> float:
        return float(found[2]) * (-1 if found[1] in ("-", "−") else 1) + 0.0

    def suffix(self, text: str, at: int) -> int:
        if PERCENT.match(text, at):
            raise FlawError("percent")
        if re.match("[;；][0-9]", text[at : at + 2]):
            raise FlawError("several")
        if MORE.match(text, at):
            raise FlawError("not_a_number")
        return at + 1 if text[at : at + 1] in tuple("分点點점") else at

    def rest(self, text: str, at: int, top: bool) -> int:
        at = closing.match(text, at).end()
        word = word_run.match(text, at)[0]
        if lower(word) in words.UNITS:
            at = closing.match(text, at + len(word)).end()
            if lower(word) == "point" and NUMBER.match(text, at):
                raise FlawError("not_a_number")
            word = word_run.match(text, at)[0]
        if PERCENT.match(text, at):
            raise FlawError("percent")
        if numeral.match(text, at) or text[at : at + 1] == "×":
            raise FlawError("not_a_number")
        if word:
            return self.after_word(text, at, word, top)
        next_ = text[at : at + 1]
        if next_ and next_ in "+^±":
            raise FlawError("not_a_number")
        if next_ and next_ in "/⁄／":
            return self.fraction(text, at + 1, top)
        if joined := ARROW.match(text, at):
            then = frame.match(text, joined.end()).end()
            if NUMBER.match(text, then) or numeral.match(text, then):
                raise FlawError("several")
        elif next_ and next_ in ",，、;；":
            then = frame.match(text, at + 1).end()
            number = NUMBER.match(text, then)
            if number and not word_run.match(text, number.end())[0]:
                then = frame.match(text, number.end()).end()
                if not word_run.match(text, then)[0]:
                    raise FlawError("several")
            elif lower(word_run.match(text, then)[0]) == "or":
                raise FlawError("several")
        elif next_ and next_ in "(（[":
            then = opening.match(text, at + 1).end()
            word = word_run.match(text, then)[0]
            if lower(word) in ("or", "out", "of", "on"):
                return self.after_word(text, then, word, top)
            if text[then : then + 1] == "/":
                return self.fraction(text, then + 1, top)
            if numeral.match(text, then):
                raise FlawError("not_a_number")
        return at

    def after_word(self, text: str, at: int, word: str, top: bool) -> int:
        known = lower(word)
        then = frame.match(text, at + len(word)).end()
        following = lower(word_run.match(text, then)[0])
        if "0" <= word[0] <= "9" or known == "or":
            raise FlawError("several")
        if known in words.JOINING:
            if NUMBER.match(text, then):
                raise FlawError("several")
            if numeral.match(text, then):
                raise FlawError("not_a_number")
            if following == "a":
                following = lower(word_run.match(text, frame.match(text, then + 1).end())[0])
            if following == "half":
                raise FlawError("not_a_number")
        elif known == "half" or known in words.MULTIPLES:
            raise FlawError("not_a_number")
        elif known in ("percent", "pct") or (known, following) == ("per", "cent"):
            raise FlawError("percent")
        elif (known, following) == ("out", "of"):
            return self.fraction(text, then + 2, top)
        elif known in ("in", "over") and NUMBER.match(text, then):
            return self.fraction(text, then, top)
        elif known == "of":
            return self.fraction(text, at + 2, top)
        elif known == "on":
            self.check_scale(text, then)
        return at

    def fraction(self, text: str, at: int, top: bool) -> int:
        at = opening.match(text, at).end()
        for _ in range(6):
            word = word_run.match(text, at)[0]
            if lower(word) not in words.BEFORE_TOP:
                break
            at = opening.match(text, at + len(word)).end()
        found = NUMBER.match(text, at)
        if not found or not top or re.match("/|-[0-9]", text[found.end() : found.end() + 2]):
            raise FlawError("not_a_number")
        end = self.suffix(text, found.end())
        if self.value(found) != self.high:
            raise FlawError("other_scale")
        return self.rest(text, end, False)

    def check_scale(self, text: str, at: int) -> None:
        for _ in range(6):
            word = word_run.match(text, at)[0]
            if lower(word) not in ("a", "an", "the", "scale", "of", "from", "out"):
                break
            at = frame.match(text, at + len(word)).end()
        first = NUMBER.match(text, at)
        if not first:
            return
        at = frame.match(text, first.end()).end()
        dashes = re.compile(f"[{DASH}]").match(text, at)
        if dashes:
            at = re.compile(f"[{DASH}{FRAME}]*").match(text, at).end()
            if lower(word_run.match(text, at)[0]) == "point":
                if self.value(first) != self.high:
                    raise FlawError("other_scale")
                return
        elif lower(word_run.match(text, at)[0]) == "to":
            at = frame.match(text, at + 2).end()
        else:
            return
        last = NUMBER.match(text, at)
        if last and (self.value(first), self.value(last)) != (self.low, self.high):
            raise FlawError("other_scale")

    def alone(self, text: str) -> float | str | None:
        found = self.read(text, opening_lines.match(text).end())
        if not found:
            return None
        reading, end = found
        if isinstance(reading, str):
            return reading if size(text) <= 32 else None
        tail = re.compile(f"[{CLOSING}.!。\n\r]*").match(text, end).end()
        return reading if tail == len(text) else None

    # Labels

    def phrase_start(self, text: str, start: int) -> tuple[int, bool]:
        named = False
        for _ in range(4):
            end = self.back(text, start, GAP)
            if end == start:
                break
            begin = self.name_before(text, end)
            if begin is not None:
                start, named = begin, True
                continue
            word = self.word_before(text, end)
            if word is None or lower(word) not in words.QUALIFIERS:
                break
            start = end - len(word)
        return start, named

    def name_before(self, text: str, end: int) -> int | None:
        for name in self.name_tokens:
            at = end
            for position, word in enumerate(reversed(name)):
                stop = at if position == 0 else self.back(text, at, GAP)
                start = stop - len(word)
                if start < 0 or lower(text[start:stop]) != word or (position and stop == at):
                    break
                if start and re.match(W, text[start - 1]):
                    break
                at = start
            else:
                return at
        return None

    @staticmethod
    def back(text: str, at: int, members: str) -> int:
        kind = re.compile(f"[{members}]")
        while at and kind.match(text[at - 1]):
            at -= 1
        return at

    @staticmethod
    def word_before(text: str, end: int) -> str | None:
        start = end
        while start and re.match(W, text[start - 1]):
            start -= 1
            if size(text[start:end]) > 24:
                return None
        return text[start:end] or None

    def label(self, text: str, start: int, end: int, alone: bool):
        """Return (start, named, joint, what it does with its number, reading) or None."""
        named = alone or bool((found := self.name.match(text, start)) and found.end() == end)
        begin = start
        if not alone:
            begin, before = self.phrase_start(text, start)
            pattern = f"[{GAP}]+for(?!{W})[{GAP}]*(?:the(?!{W})[{GAP}]*)?(?=({self.name.pattern}))"
            after = re.compile(pattern, re.IGNORECASE | re.ASCII).match(text, end)
            if after:
                end = self.name.match(text, after.end()).end()
            named = named or before or bool(after)
        scale = self.declared(text, end)
        if scale is None:
            return None
        end, fits = scale
        joint = self.joint(text, begin, end)
        if joint is None:
            return None
        kind, at = joint
        value = self.label_value(text, at, kind)
        if value is None:
            return None
        reading, stop = value
        number = stop is not None
        if alone:
            if not number or kind not in ("strong", "tag") or word_run.match(text, stop)[0]:
                return None
            return begin, True, kind, "given", reading if fits else "other_scale"
        use = "nothing"
        if number and self.weighed(text, stop):
            use = "turned down"
        elif number and not self.explained(text, stop):
            use = "given"
        if kind == "weak" and use == "nothing":
            return None
        return (
            begin,
            named,
            kind,
            use,
            (reading if fits or not number else "other_scale"),
        )

    def declared(self, text: str, end: int) -> tuple[int, bool] | None:
        at = frame.match(text, end).end()
        if text[at : at + 1] in ("(", "[", "（"):
            return self.bracketed(text, at + 1)
        found = re.compile(
            f"(?:/|out(?!{W})[{FRAME}]*of(?!{W}))[{FRAME}]*(?=[+\\-−]?[.0-9])", re.I | re.A
        ).match(text, at)
        number = found and NUMBER.match(text, found.end())
        if number:
            return number.end(), self.value(number) == self.high
        return end, True

    def bracketed(self, text: str, at: int) -> tuple[int, bool] | None:
        close = re.compile("[)\\]）]")
        name = self.name.match(text, frame.match(text, at).end())
        if name:
            closed = close.match(text, frame.match(text, name.end()).end())
            return (closed.end(), True) if closed else None
        numbers: list[float] = []
        for _ in range(12):
            at = blanks.match(text, at).end()
            if closed := close.match(text, at):
                fits = (
                    True
                    if not numbers
                    else numbers[0] == self.high
                    if len(numbers) == 1
                    else tuple(numbers) == (self.low, self.high)
                )
                return closed.end(), fits
            word = word_run.match(text, at)[0]
            if lower(word) in words.SCALE_WORDS:
                at += len(word)
            elif re.match(f"[{DASH}]" if numbers else "/", text[at : at + 1]) or (
                text[at : at + 1] == "/"
            ):
                at += 1
            else:
                number = NUMBER.match(text, at)
                if not number or len(numbers) == 2:
                    return None
                numbers.append(self.value(number))
                at = number.end()
        return None

    def joint(self, text: str, start: int, end: int) -> tuple[str, int] | None:
        at = frame.match(text, end).end()
        if ends_line.match(text, at):
            return "line", at
        if found := re.compile("[:：]|=[=>]*").match(text, at):
            return "strong", found.end()
        if text[at] == ">":
            return ("tag", at + 1) if text[start - 1 : start] == "<" else None
        if found := re.compile("->|[→|]").match(text, at):
            return "weak", found.end()
        if at > end and re.compile(f"[-–—][{BLANK}]").match(text, at):
            return "weak", at + 1
        word = word_run.match(text, at)[0]
        if lower(word) not in ("is", "was", "of"):
            return ("bare", at) if at > end else None
        after = frame.match(text, at + len(word)).end()
        if text[after : after + 1] in (":", "："):
            return "strong", after + 1
        denied = lower(word) == "is" and lower(word_run.match(text, after)[0]) in words.NOTHING
        return ("strong" if denied else "weak"), after

    def label_value(self, text: str, at: int, kind: str):
        at = opening.match(text, at).end()
        article = word_run.match(text, at)[0]
        if lower(article) in ("a", "an"):
            after = opening.match(text, at + len(article)).end()
            at = after if NUMBER.match(text, after) else at
        found = self.read(text, at)
        if kind in ("strong", "line") and ends_line.match(text, at):
            return self.below(text, at, kind)
        if kind == "line" or (kind in ("bare", "tag") and not found):
            return None
        if kind == "bare":
            reading, end = found
            stop = re.compile("[.!]*").match(text, end).end()
            return found if not isinstance(reading, str) and ends_line.match(text, stop) else None
        return found or ("not_a_number", None)

    def below(self, text: str, at: int, kind: str):
        at = opening_lines.match(text, at).end()
        if at == len(text):
            return ("cut_off", None) if kind == "strong" else None
        found = self.read(text, at)
        if found and ends_line.match(text, re.compile("[.!]*").match(text, found[1]).end()):
            return found
        return ("not_a_number", None) if kind == "strong" else None

    def explained(self, text: str, end: int) -> bool:
        word = lower(word_run.match(text, end)[0])
        at = frame.match(text, end + len(word)).end()
        then = lower(word_run.match(text, at)[0])
        if word in ("for", "on", "in"):
            if then in ("the", "its"):
                at = frame.match(text, at + 3).end()
                then = lower(word_run.match(text, at)[0])
            return then in words.CRITERIA and not self.name.match(text, at)
        return word in words.EXPLAINING or (word == "is" and then in words.EXPLAINED)

    def weighed(self, text: str, end: int) -> bool:
        word = lower(word_run.match(text, end)[0])
        at = frame.match(text, end + len(word)).end()
        return word == "is" and lower(word_run.match(text, at)[0]) in words.WEIGHED

    def permitted(self, text: str, start: int) -> bool:
        between = FRAME + "\\-"
        end = self.back(text, start, between)
        if not end or not re.match(W, text[end - 1]):
            end = self.back(text, end, OPENING + JOINING)
            word = self.word_before(text, end)
            return word is None or (
                lower(word) not in words.CRITERIA or self.name_before(text, end) is not None
            )
        denials = words.DENIALS
        for position in range(12):
            word = self.word_before(text, end)
            if word is None:
                return position > 0
            known = lower(word)
            if (position == 0 and known not in words.HARMLESS) or known in denials:
                return False
            if position > 0 and known in words.TURNS:
                return True
            end = self.back(text, end - len(word), between)
            if text[end - 1 : end] == ",":
                denials = words.CONDITIONS
                end = self.back(text, end - 1, between)
        return True

    # The whole reply

    def parse(self, text: str) -> float | str:
        """Return the score, or the reason why there is none."""
        text = EMPHASIS.sub("*", text.lstrip("\ufeff"))
        if spaces.match(text).end() == len(text):
            return "missing"
        reading = Pass(self, text).decide()
        return reading if isinstance(reading, str) else self.verdict(reading)

    def verdict(self, value: float) -> float | str:
        if math.isfinite(value):
            if any(low <= value <= high for low, high, *_ in self.levels):
                return value
            if self.low <= value <= self.high:
                return "between_levels"
        return "out_of_range"


class Pass:
    """One way through a text."""

    TAG = re.compile(f"<(/?)({'|'.join(words.DROPPED)})[{BLANK}]*>", re.I | re.A)
    STEP = re.compile(f"{W}+|[^A-Za-z0-9]", re.S)

    def __init__(self, twin: Twin, text: str) -> None:
        self.twin, self.text = twin, text
        self.forget()
        self.in_section = False
        self.cut_off = False
        self.pieces: list[str] = []
        self.run()

    def forget(self) -> None:
        self.line = Agreement()
        self.last: list[object] | None = None
        self.inline, self.section, self.fractions = Agreement(), Agreement(), Agreement()
        self.weighed = Agreement()

    def run(self) -> None:
        text, piece, at, broken = self.text, 0, 0, 0
        complete: dict[int, tuple[int, object]] = {}
        self.begin_line(0)
        while at < len(text):
            step = self.STEP.match(text, at)
            end, found = step.end(), step[0]
            if re.match(W, found):
                end = self.word(at, end)
            elif found in "\n\r":
                self.end_line()
                self.begin_line(end)
            elif found == "{":
                if at < broken:
                    if at in complete:
                        end = complete[at][0]
                        self.object(complete[at][1])
                else:
                    try:
                        end, findings = scan(text, at, self.twin)
                        self.object(findings)
                    except BrokenError as failure:
                        broken, complete = failure.at, failure.complete
                    except CutOffError:
                        self.mark("cut_off", True)
                        end = len(text)
            elif found == "<" and (tag := self.TAG.match(text, at)):
                end = tag.end()
                if tag[1]:
                    self.forget()
                    self.pieces.clear()
                else:
                    self.pieces.append(text[piece:at])
                    self.end_line()
                    close = f"</{tag[2]}[{BLANK}]*>"
                    closed = re.compile(close, re.I | re.A).search(text, end)
                    if not closed:
                        self.cut_off = True
                        return
                    end = closed.end()
                piece = end
                self.begin_line(end)
            elif found == "[":
                end = self.bracket(at)
            elif found == "/":
                self.clean = False
                self.slash(at)
            elif not re.match(f"[{LEAD}]", found):
                self.clean = False
            at = end
        self.end_line()
        self.pieces.append(text[piece:])

    def begin_line(self, start: int) -> None:
        self.clean, self.first = True, -1
        twin, text = self.twin, self.text
        if not twin.named_only:
            return
        first = lead.match(text, start).end()
        ending = re.compile(f"[{FRAME}]*(?:[:：(\\-–—]|[\n\r]|\\Z)")
        own, other = twin.name.match(text, first), twin.other.match(text, first)
        if own and ending.match(text, own.end()):
            self.in_section = True
        elif other and ending.match(text, other.end()):
            self.in_section = False
        elif word := word_run.match(text, first)[0]:
            end = first + len(word)
            for _ in range(3):
                end = gap.match(text, end).end()
                end = word_run.match(text, end).end()
            heading = (
                re.compile(" *#").match(text, start)
                or re.compile(f"[{FRAME}]*:").match(text, end)
                or ends_line.match(text, closing.match(text, end).end())
            )
            plain = lower(word) not in words.WITHIN_SECTION and not NUMBER.match(text, first)
            if heading and plain and not twin.keyword.match(text, first):
                self.in_section = False

    def end_line(self) -> None:
        if self.last and self.last[1]:
            self.last[1] = False
            if self.line.result() == "several" and not isinstance(self.last[0], str):
                self.last[0] = "several"
        self.line = Agreement()

    def mark(self, reading: float | str, named: bool) -> None:
        if self.twin.named_only and not named:
            if not self.in_section:
                return
            self.section.add(reading)
            self.last = [self.section.result(), True]
        else:
            self.last = [reading, True]
        self.add_to_line(reading)

    def add_to_line(self, reading: float | str) -> None:
        if not isinstance(reading, str) or reading == "several":
            self.line.add(reading)

    def object(self, findings) -> None:
        named, plain = findings
        is_named = named.result() is not None
        everything = Agreement()
        everything.merge(named)
        if not is_named or not self.twin.named_only:
            everything.merge(plain)
        reading = everything.result()
        if reading is not None:
            self.mark(reading, is_named)
        self.clean = False

    def word(self, start: int, end: int) -> int:
        text, twin = self.text, self.twin
        if self.clean:
            if re.compile(f"[0-9]{{1,3}}[.)][{BLANK}]").match(text, start) and (
                text[start:end].isascii() and text[start:end].isdigit()
            ):
                return end + 1
            self.clean, self.first = False, start
        keyword, name = twin.keyword.match(text, start), twin.name.match(text, start)
        found = keyword or name
        label = found and twin.label(text, start, found.end(), not keyword)
        if not label:
            return end
        begin, named, kind, use, reading = label
        begins = kind == "tag" or self.first == begin
        if begins and kind != "bare" and (kind, use) != ("weak", "turned down"):
            self.mark(reading, named)
            return end
        counts = not twin.named_only or named or self.in_section
        if use == "nothing" or kind == "line" or not counts:
            return end
        if not keyword:
            before = twin.back(text, begin, FRAME)
            fine = not before or not re.match(W, text[before - 1])
        else:
            fine = begins or twin.permitted(text, begin)
        if fine and use == "turned down":
            if not isinstance(reading, str):
                self.weighed.add(reading)
        elif fine:
            self.inline.add(reading)
            self.add_to_line(reading)
        return end

    def bracket(self, at: int) -> int:
        text, twin = self.text, self.twin
        if result := re.compile(f"\\[result\\][{FRAME}]*:?", re.I | re.A).match(text, at):
            then = opening_lines.match(text, result.end()).end()
            found = twin.read(text, then)
            empty = "cut_off" if then == len(text) else "not_a_number"
            self.mark(found[0] if found else empty, False)
            self.clean = False
            return at + 8
        if text.startswith("[[", at):
            then = frame.match(text, at + 2).end()
            found = twin.read(text, then)
            window = text[then : then + 24].encode("utf-8", "surrogatepass")[:24]
            if found and re.match(rb"[^\]]*\]\]", window):
                self.mark(found[0], False)
                self.clean = False
            return at + 2
        return at + 1

    def slash(self, at: int) -> None:
        text, twin = self.text, self.twin
        top = NUMBER.match(text, blanks.match(text, at + 1).end())
        if not top or twin.value(top) != twin.high or twin.named_only:
            return
        several = False
        try:
            after = twin.rest(text, twin.suffix(text, top.end()), False)
            if lower(word_run.match(text, after)[0]) not in ("", *words.AFTER_FRACTION):
                return
        except FlawError as flaw:
            if str(flaw) != "several":
                return
            several = True
        stop = twin.back(text, at, BLANK)
        start = stop - len(re.search(r"[0-9.]*\Z", text[max(0, stop - 24) : stop])[0])
        value = NUMBER.match(text, start)
        if not value or value.end() != stop or not re.match("[0-9]", text[start]):
            return
        if start and not re.match(f"[{OPENING}\n\r:]", text[start - 1]):
            return
        if not self.is_verdict(start):
            return
        self.fractions.add("several" if several else twin.value(value))

    def is_verdict(self, start: int) -> bool:
        twin, text = self.twin, self.text
        end = twin.back(text, start, OPENING)
        allowed = words.BEFORE_FRACTION
        if not end or not re.match(W, text[end - 1]):
            joined = twin.back(text, end, OPENING + JOINING)
            if joined == end or not joined or not re.match(W, text[joined - 1]):
                return True
            end, allowed = joined, words.VERDICTS
        word = twin.word_before(text, end) or ""
        return lower(word) in allowed or twin.name_before(text, end) is not None

    def decide(self) -> float | str:
        if self.cut_off:
            return "cut_off"
        marked = self.last[0] if self.last else self.inline.result()
        if not self.last and isinstance(marked, float):
            self.inline.merge(self.weighed)
            marked = self.inline.result()
        if marked is not None:
            return marked
        if self.twin.named_only:
            return "none"
        lines = Agreement()
        for piece in self.pieces:
            for line in re.split("[\n\r]", piece):
                bare = self.twin.bare(line)
                if bare in self.twin.texts:
                    lines.add(self.twin.texts[bare])
        for reading in (lines.result(), self.fractions.result()):
            if reading is not None:
                return reading
        filled = [piece.strip(BLANK + "\n\r") for piece in self.pieces]
        filled = [piece for piece in filled if piece]
        alone = self.twin.alone(filled[0]) if len(filled) == 1 else None
        return "none" if alone is None else alone


def twin_of(rubric, names=None, others=None, field="score", markers=()) -> Twin:
    """Return the twin of a rubric of the package."""
    levels = []
    for level in rubric.levels:
        low, high = level.bounds
        bounds = -math.inf if low is None else low, math.inf if high is None else high
        levels.append((*bounds, level.label, level.description))
    names = (rubric.name,) if names is None else names
    return Twin(levels, names, others, field, markers)
