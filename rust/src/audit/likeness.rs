//! Which answer option a text resembles most.

use strsim::normalized_levenshtein;

/// Letters that are compared: nobody takes a text of which this is only the beginning for an option.
const MOST_LETTERS: usize = 200;

/// The option most like a text, and how like it is: 1 for the same letters, 0 for none in common
/// (1 - Levenshtein's distance / the length of the longer one). The first of equally like ones; none
/// if all options are less like it than `least`.
#[must_use]
pub fn nearest(text: &str, options: &[String], least: f64) -> Option<(usize, f64)> {
    let length = text.chars().take(MOST_LETTERS + 1).count();
    if length > MOST_LETTERS {
        return None;
    }
    let mut best = None;
    for (position, option) in options.iter().enumerate() {
        let other = option.chars().count();
        // The distance is at least the difference in length.
        let possible = length.min(other) as f64 / length.max(other).max(1) as f64;
        let bar = best.map_or(least, |(_, likeness)| likeness);
        if possible < bar {
            continue;
        }
        let likeness = normalized_levenshtein(text, option);
        if likeness > bar || best.is_none() && likeness == bar {
            best = Some((position, likeness));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, options: &[&str], least: f64) -> Option<(usize, f64)> {
        nearest(text, &options.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>(), least)
    }

    #[test]
    fn the_nearest_option_is_found() {
        let options = ["strongly disagree", "agree", "strongly agree"];
        // One letter of fourteen is missing.
        assert_eq!(found("strongly agre", &options, 0.5), Some((2, 1.0 - 1.0 / 14.0)));
        assert_eq!(found("agree", &options, 1.0), Some((1, 1.0)));
        assert_eq!(found("I would rather not say", &options, 0.5), None);
        assert_eq!(found("ab", &["ac", "bb"], 0.5), Some((0, 0.5)), "the first of equals");
        assert_eq!(found("agree", &[], 0.0), None);
        assert_eq!(found("", &[""], 0.5), None, "an empty text is like nothing");
    }

    #[test]
    fn a_long_text_is_no_option() {
        let long = "agree ".repeat(40);
        assert_eq!(found(&long, &[long.as_str()], 0.5), None);
    }
}
