//! Owns the reading of a float that was meant as an integer.
//!
//! Works on the digits as they were written, so no rounding can hide a fraction.

/// The largest integer up to which every integer is a float: beyond it, a float may stand for several.
const EXACT: u64 = 1 << 53;

/// What a number's text says about an integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Integral {
    /// It is this integer.
    Exact(String),
    /// It has no fraction, but is too large for a float to be exact.
    TooLarge,
    /// It has a fraction.
    Fraction,
}

/// Reads the text of a JSON number.
pub(crate) fn read(number: &str) -> Integral {
    let (negative, unsigned) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>()),
        None => (unsigned, Ok(0)),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.trim_start_matches('0').is_empty() {
        return Integral::Exact("0".to_owned());
    }
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let Some(point) = exponent.ok().and_then(|exponent| length(whole).checked_add(exponent)) else {
        // An exponent beyond 64 bits: only its sign still matters.
        return if unsigned.contains("e-") || unsigned.contains("E-") {
            Integral::Fraction
        } else {
            Integral::TooLarge
        };
    };
    if length(significant) > point {
        return Integral::Fraction;
    }
    let leading_zeros = length(&digits) - length(digits.trim_start_matches('0'));
    if point - leading_zeros > 16 {
        return Integral::TooLarge;
    }
    let width = usize::try_from(point).unwrap_or_default();
    match format!("{significant:0<width$}").parse::<u64>() {
        Ok(integer) if integer <= EXACT && negative => Integral::Exact(format!("-{integer}")),
        Ok(integer) if integer <= EXACT => Integral::Exact(integer.to_string()),
        _ => Integral::TooLarge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_without_fraction_is_its_integer() {
        let exact = [
            ("10.0", "10"),
            ("120000.00", "120000"),
            ("-3.0", "-3"),
            ("1e3", "1000"),
            ("1.50E+2", "150"),
            ("2500e-2", "25"),
            ("-0.0", "0"),
            ("0e999999999999999999999", "0"),
            ("0.001e3", "1"),
            ("9007199254740992.0", "9007199254740992"),
        ];
        for (text, integer) in exact {
            assert_eq!(read(text), Integral::Exact(integer.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_a_float_cannot_hold_exactly_is_too_large() {
        for text in [
            "1e20",
            "9007199254740993.0",
            "12345678901234567890.0",
            "1e99999999999999999999",
        ] {
            assert_eq!(read(text), Integral::TooLarge, "{text}");
        }
    }

    #[test]
    fn no_fraction_is_rounded_away() {
        for text in [
            "10.5",
            "10.000000000000000000001",
            "1e-1",
            "1e-99999999999999999999",
            "1.25e1",
        ] {
            assert_eq!(read(text), Integral::Fraction, "{text}");
        }
    }
}
