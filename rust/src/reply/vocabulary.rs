//! The words that the rules name.

/// Whether a word is on a list, without regard to ASCII case.
#[must_use]
pub fn is_one_of(word: &[u8], list: &[&str]) -> bool {
    list.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(word))
}

/// What announces a score.
pub const KEYWORDS: &[&str] = &["score", "rating", "grade"];
/// What may stand before it.
pub const QUALIFIERS: &[&str] = &["final", "overall"];
/// Words before a label inside a line that let it stand for the reply's score.
pub const HARMLESS: &[&str] = &[
    "a",
    "an",
    "the",
    "this",
    "that",
    "my",
    "our",
    "your",
    "its",
    "his",
    "her",
    "their",
    "one",
    "is",
    "was",
    "be",
    "been",
    "being",
    "of",
    "as",
    "at",
    "with",
    "for",
    "to",
    "and",
    "or",
    "but",
    "so",
    "thus",
    "hence",
    "therefore",
    "then",
    "assign",
    "assigns",
    "assigned",
    "assigning",
    "give",
    "gives",
    "given",
    "giving",
    "gave",
    "award",
    "awards",
    "awarded",
    "awarding",
    "get",
    "gets",
    "got",
    "receive",
    "receives",
    "received",
    "earn",
    "earns",
    "earned",
    "deserve",
    "deserves",
    "deserved",
    "merit",
    "merits",
    "warrant",
    "warrants",
    "by",
    "from",
    "in",
    "on",
    "new",
    "revised",
    "adjusted",
    "updated",
    "corrected",
    "appropriate",
    "fair",
    "suitable",
    "reasonable",
    "correct",
    "proper",
    "resulting",
    "numeric",
    "numerical",
    "integer",
    "single",
    "moderate",
    "decent",
    "solid",
    "strong",
    "maybe",
    "perhaps",
    "possibly",
    "also",
    "still",
    "now",
    "here",
    "only",
    "just",
    "judge",
    "llm",
    "s",
];
/// Words that take back what follows them in their clause.
pub const DENIALS: &[&str] = &[
    "not", "no", "never", "cannot", "cant", "wont", "dont", "doesnt", "isnt", "t", "without",
    "neither", "nor", "unless", "if", "instead", "than", "avoid", "between", "whether", "versus",
];
/// Those of them that reach into the next clause.
pub const CONDITIONS: &[&str] = &["if", "unless"];
/// Words that begin a new clause.
pub const TURNS: &[&str] =
    &["so", "and", "but", "therefore", "thus", "hence", "yet", "which", "because"];
/// Words after a score that say that it is being explained, not given.
pub const EXPLAINING: &[&str] = &[
    "means",
    "mean",
    "meant",
    "requires",
    "require",
    "required",
    "would",
    "could",
    "might",
    "may",
    "should",
    "indicates",
    "represents",
    "denotes",
    "corresponds",
    "if",
    "when",
    "unless",
    "needs",
    "implies",
    "signifies",
];
/// Words that say so after "is".
pub const EXPLAINED: &[&str] =
    &["reserved", "for", "only", "given", "used", "assigned", "when", "if"];
/// Words that say so after "is" of a score that was weighed.
pub const WEIGHED: &[&str] = &["too", "not"];
/// What "is" may be followed by to say that there is no score.
pub const NOTHING: &[&str] =
    &["n", "na", "none", "null", "nan", "not", "unknown", "undefined", "unavailable", "unscored"];
/// Units that a number may have.
pub const UNITS: &[&str] = &["star", "stars", "point", "points", "pts", "mark", "marks"];
/// Words that make another number of the one before them.
pub const MULTIPLES: &[&str] = &[
    "k",
    "m",
    "bn",
    "dozen",
    "hundred",
    "thousand",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "thirds",
    "quarters",
    "fifths",
    "tenths",
    "hundredths",
];
/// Words that join two numbers.
pub const JOINING: &[&str] = &[
    "to", "and", "through", "vs", "versus", "until", "till", "oder", "bis", "ou", "或", "或者",
    "至", "到",
];
/// Words between "out of" and the top of a scale.
pub const BEFORE_TOP: &[&str] = &["a", "an", "the", "possible", "maximum", "max", "total", "of"];
/// Words in which a scale is described.
pub const SCALE_WORDS: &[&str] = &[
    "on", "a", "an", "the", "scale", "of", "from", "out", "to", "between", "and", "range",
    "integer", "number", "whole", "point", "points", "max", "maximum", "min", "minimum",
];
/// Words before n/top that let it stand for the reply's score.
pub const BEFORE_FRACTION: &[&str] = &[
    "a",
    "an",
    "clear",
    "solid",
    "strong",
    "decent",
    "fair",
    "say",
    "it",
    "this",
    "that",
    "give",
    "gives",
    "given",
    "gave",
    "deserve",
    "deserves",
    "merits",
    "earns",
    "gets",
    "receives",
    "rated",
    "response",
    "answer",
    "reply",
    "overall",
    "final",
    "so",
    "therefore",
    "thus",
    "at",
    "as",
    "first",
    "then",
    "maybe",
    "perhaps",
    "probably",
];
/// Words that do so with a colon or a dash in between.
pub const VERDICTS: &[&str] = &[
    "overall",
    "final",
    "verdict",
    "judgment",
    "judgement",
    "result",
    "evaluation",
    "assessment",
    "conclusion",
    "answer",
    "response",
    "reply",
];
/// Words after n/top that leave it the reply's score; others may be what it counts.
pub const AFTER_FRACTION: &[&str] = &[
    "because", "overall", "since", "as", "with", "due", "given", "but", "here", "rating", "score",
];
/// What else judges are asked to score.
pub const CRITERIA: &[&str] = &[
    "accuracy",
    "clarity",
    "helpfulness",
    "relevance",
    "coherence",
    "fluency",
    "completeness",
    "correctness",
    "consistency",
    "conciseness",
    "style",
    "grammar",
    "tone",
    "safety",
    "creativity",
    "depth",
    "readability",
    "engagement",
    "confidence",
    "faithfulness",
    "factuality",
    "groundedness",
    "usefulness",
    "harmlessness",
    "toxicity",
    "bias",
];
/// Blocks that are dropped.
pub const DROPPED: &[&str] = &["think", "thinking", "reasoning", "scratchpad"];
/// Keys of JSON objects that say nothing of their own.
pub const NEUTRAL_KEYS: &[&str] = &[
    "result",
    "results",
    "evaluation",
    "evaluations",
    "judgment",
    "judgement",
    "judgments",
    "output",
    "response",
    "answer",
    "data",
    "verdict",
    "assessment",
    "final",
    "overall",
];
/// Keys whose number is the top of the scale.
pub const TOP_KEYS: &[&str] =
    &["max", "maximum", "max score", "maximum score", "out of", "scale max"];
/// Keys whose text is the name of what is scored.
pub const NAMING_KEYS: &[&str] =
    &["criterion", "criteria", "rubric", "metric", "dimension", "aspect"];
/// First words of lines that stay in the section they are in.
pub const WITHIN_SECTION: &[&str] = &[
    "reasoning",
    "reason",
    "reasons",
    "rationale",
    "explanation",
    "justification",
    "comment",
    "comments",
    "feedback",
    "analysis",
    "evidence",
    "confidence",
    "note",
    "strengths",
    "weaknesses",
    "score",
    "rating",
    "grade",
];
