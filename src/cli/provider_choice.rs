//! Owns the word for a provider on the command line: the name of one, or `all`.

use crate::model::{Provider, UnknownProvider};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::str::FromStr;

/// One provider, or every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderChoice {
    One(Provider),
    All,
}

impl ProviderChoice {
    const ALL: &'static str = "all";

    /// The providers that are meant.
    pub fn providers(self) -> Vec<Provider> {
        match self {
            Self::One(provider) => vec![provider],
            Self::All => Provider::ALL.to_vec(),
        }
    }
}

impl FromStr for ProviderChoice {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == Self::ALL {
            return Ok(Self::All);
        }
        name.parse().map(Self::One)
    }
}

/// Reads the word, and lists the known ones where it is none of them.
pub fn parser() -> impl TypedValueParser<Value = ProviderChoice> {
    let names = Provider::ALL.into_iter().map(Provider::as_str);
    PossibleValuesParser::new(names.chain([ProviderChoice::ALL])).try_map(|name| name.parse::<ProviderChoice>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_means_every_provider_and_a_name_means_one() {
        assert_eq!(
            "all".parse::<ProviderChoice>().map(ProviderChoice::providers),
            Ok(Provider::ALL.to_vec())
        );
        for provider in Provider::ALL {
            assert_eq!(provider.as_str().parse(), Ok(ProviderChoice::One(provider)));
        }
        assert!("nobody".parse::<ProviderChoice>().is_err());
    }
}
