//! The symmetries of a board, as they change the notation of a move.
//!
//! The one idea: in all games a cell is written as a letter and a digit, so a symmetry of the board
//! counts letters or digits from the other end, or exchanges the two. A compass direction behind a
//! cell (Murus Gallicus) changes with them.

/// A rotation or reflection of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    letters: u8,
    digits: u8,
    reversed_letters: bool,
    reversed_digits: bool,
    /// Letters become digits and digits letters, after all else.
    exchanged: bool,
}

impl Symmetry {
    /// The one that changes nothing, on any board.
    pub const IDENTITY: Symmetry = Symmetry::of(u8::MAX, u8::MAX, 0);

    /// A bit each: letters reversed, digits reversed, both exchanged.
    const fn of(letters: u8, digits: u8, bits: usize) -> Symmetry {
        Symmetry {
            letters,
            digits,
            reversed_letters: bits & 1 != 0,
            reversed_digits: bits & 2 != 0,
            exchanged: bits & 4 != 0,
        }
    }

    /// The identity and the reflection that exchanges left and right, on a board of `columns`
    /// columns, which are letters or else digits.
    pub const fn columns(columns: u8, are_letters: bool) -> [Symmetry; 2] {
        let bits = if are_letters { 1 } else { 2 };
        [Symmetry::of(columns, columns, 0), Symmetry::of(columns, columns, bits)]
    }

    /// Symmetries of a square board: the first 4 exchange left and right, top and bottom, or both,
    /// the other 4 also rows and columns.
    pub const fn square<const COUNT: usize>(size: u8) -> [Symmetry; COUNT] {
        let mut all = [Symmetry::of(size, size, 0); COUNT];
        let mut bits = 0;
        while bits < COUNT {
            all[bits] = Symmetry::of(size, size, bits);
            bits += 1;
        }
        all
    }

    /// The notation of the image of a move.
    pub fn image(self, notation: &str) -> String {
        let mut image = String::with_capacity(notation.len());
        let mut rest = notation.chars().peekable();
        while let Some(character) = rest.next() {
            match rest.peek().and_then(|next| next.to_digit(10)) {
                Some(digit) if character.is_ascii_alphabetic() => {
                    rest.next();
                    let first = if character.is_ascii_lowercase() { b'a' } else { b'A' };
                    let (letter, digit) =
                        self.cell(character as u8 - first, (digit as u8).wrapping_sub(1));
                    image.push(char::from(first.wrapping_add(letter)));
                    image.push(char::from(b'1'.wrapping_add(digit)));
                }
                _ if self.reversed_digits && character == 'E' => image.push('W'),
                _ if self.reversed_digits && character == 'W' => image.push('E'),
                _ => image.push(character),
            }
        }
        image
    }

    /// The image of a cell, counted from 0; of none on the board, some other.
    fn cell(self, letter: u8, digit: u8) -> (u8, u8) {
        let from_end = |index: u8, count: u8, reversed: bool| {
            if reversed { (count - 1).wrapping_sub(index) } else { index }
        };
        let letter = from_end(letter, self.letters, self.reversed_letters);
        let digit = from_end(digit, self.digits, self.reversed_digits);
        if self.exchanged { (digit, letter) } else { (letter, digit) }
    }
}
