//! Owns SHA-256 (FIPS 180-4), from which shortened names take their suffix.
//!
//! Names need a hash that is the same in every version and on every machine, which the standard library does not give.
//! Not meant for secrets.

/// The first `digits` hexadecimal digits of the SHA-256 of `data`, at most 64.
pub(crate) fn hex_prefix(data: &[u8], digits: usize) -> String {
    digest(data)
        .iter()
        .flat_map(|word| (0..8).rev().map(move |place| word >> (place * 4) & 0xf))
        .filter_map(|digit| char::from_digit(digit, 16))
        .take(digits)
        .collect()
}

fn digest(data: &[u8]) -> [u32; 8] {
    let mut padded = data.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend_from_slice(&(data.len() as u64 * 8).to_be_bytes());

    let mut state = START;
    for block in padded.chunks_exact(64) {
        compress(&mut state, block);
    }
    state
}

fn compress(state: &mut [u32; 8], block: &[u8]) {
    let mut schedule = [0_u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for t in 16..64 {
        let [old, recent] = [schedule[t - 15], schedule[t - 2]];
        let small0 = old.rotate_right(7) ^ old.rotate_right(18) ^ (old >> 3);
        let small1 = recent.rotate_right(17) ^ recent.rotate_right(19) ^ (recent >> 10);
        schedule[t] = schedule[t - 16]
            .wrapping_add(small0)
            .wrapping_add(schedule[t - 7])
            .wrapping_add(small1);
    }

    let mut work = *state;
    for (word, constant) in schedule.iter().zip(ROUND) {
        let [a, _, _, d, e, ..] = work;
        let big1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & work[5]) ^ (!e & work[6]);
        let first = work[7]
            .wrapping_add(big1)
            .wrapping_add(chosen)
            .wrapping_add(constant)
            .wrapping_add(*word);
        let big0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & work[1]) ^ (a & work[2]) ^ (work[1] & work[2]);
        let second = big0.wrapping_add(majority);
        work.rotate_right(1);
        work[0] = first.wrapping_add(second);
        work[4] = d.wrapping_add(first);
    }
    for (word, mixed) in state.iter_mut().zip(work) {
        *word = word.wrapping_add(mixed);
    }
}

const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

#[rustfmt::skip]
const ROUND: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_hold() {
        let vectors = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ];
        for (text, hash) in vectors {
            assert_eq!(hex_prefix(text.as_bytes(), 64), hash);
        }
    }

    #[test]
    fn lengths_around_a_block_are_padded_right() {
        assert_eq!(hex_prefix("a".repeat(70).as_bytes(), 8), "6bd5e503");
        assert_eq!(hex_prefix(&[b'a'; 55], 8), "9f4390f8");
        assert_eq!(hex_prefix(&[b'a'; 56], 8), "b35439a4");
        assert_eq!(hex_prefix(&[b'a'; 64], 8), "ffe054fe");
    }
}
