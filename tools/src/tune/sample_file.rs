//! Samples on disk, so that learning needs the same memory for any number of games.
//!
//! The one idea: the samples lie in a temporary file in blocks of a few hundred. For an epoch the
//! blocks are shuffled and cut into equal groups, and a group is read whole and its samples are
//! shuffled. So each batch comes from games from all over the file, with one group in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem::take;
use std::path::{Path, PathBuf};

use alesia::eval::network::NetworkGame;
use alesia::game::chance::Chance;
use alesia::words::command_error::CommandError;

use super::model::Sample;
use super::samples::{Samples, Situation};

/// Max bytes of the samples that are read at a time. In memory they take up to a third more.
pub const GROUP_BYTES: usize = 128 << 20;

/// Bytes after which a block ends.
const BLOCK_BYTES: usize = 256 << 10;

/// Max blocks of a group.
const GROUP_BLOCKS: usize = GROUP_BYTES / BLOCK_BYTES;

/// Where a block is in the file.
#[derive(Clone, Copy, Debug)]
struct Block {
    offset: u64,
    bytes: usize,
}

/// Writes samples to a temporary file.
pub struct SampleWriter {
    /// None where they are only counted.
    file: Option<File>,
    folder: PathBuf,
    blocks: Vec<Block>,
    /// The samples of the block that is not written yet.
    last: Samples,
    written: usize,
}

/// A temporary file of samples. It has no name, and is gone with this value or the process.
#[derive(Debug)]
pub struct SampleFile {
    file: File,
    folder: PathBuf,
    blocks: Vec<Block>,
    len: usize,
    group_blocks: usize,
}

impl SampleWriter {
    /// A new file in a folder; without one, samples are only counted.
    ///
    /// # Errors
    /// The system's.
    pub fn new(folder: Option<&Path>) -> Result<SampleWriter, CommandError> {
        let file = folder.map(|folder| {
            tempfile::tempfile_in(folder).map_err(|error| failed(folder, &error.to_string()))
        });
        Ok(SampleWriter {
            file: file.transpose()?,
            folder: folder.unwrap_or(Path::new("")).to_owned(),
            blocks: Vec::new(),
            last: Samples::default(),
            written: 0,
        })
    }

    pub fn len(&self) -> usize {
        self.written + self.last.len()
    }

    /// Adds a position as its network sees it, each input and each row of a move changed as the
    /// board is turned or mirrored.
    ///
    /// # Errors
    /// The system's, such as a full disk.
    pub fn add<G: NetworkGame>(
        &mut self,
        situation: &Situation<G>,
        input: impl Fn(usize) -> usize,
        row: impl Fn(usize) -> usize,
    ) -> Result<(), CommandError> {
        self.last.add(situation, input, row);
        if self.last.bytes() < BLOCK_BYTES { Ok(()) } else { self.end_block() }
    }

    fn end_block(&mut self) -> Result<(), CommandError> {
        self.written += self.last.len();
        if let Some(file) = &mut self.file {
            let mut bytes = Vec::with_capacity(self.last.bytes());
            self.last.write(&mut bytes);
            file.write_all(&bytes).map_err(|error| failed(&self.folder, &error.to_string()))?;
            let offset = self.blocks.last().map_or(0, |last| last.offset + last.bytes as u64);
            self.blocks.push(Block { offset, bytes: bytes.len() });
        }
        self.last.clear();
        Ok(())
    }

    /// The file with all samples; none where they were only counted.
    ///
    /// # Errors
    /// The system's.
    pub fn end(mut self) -> Result<Option<SampleFile>, CommandError> {
        if self.last.len() > 0 {
            self.end_block()?;
        }
        let SampleWriter { file, folder, blocks, written: len, .. } = self;
        Ok(file.map(|file| SampleFile { file, folder, blocks, len, group_blocks: GROUP_BLOCKS }))
    }

    /// Adds a sample unchanged.
    #[cfg(test)]
    pub fn push(&mut self, sample: Sample) {
        self.last.push(sample);
        if self.last.bytes() >= BLOCK_BYTES {
            self.end_block().unwrap();
        }
    }
}

impl SampleFile {
    pub fn len(&self) -> usize {
        self.len
    }

    /// The groups of an epoch, each a list of blocks: all blocks once, in random order.
    pub fn mixed_groups(&self, rng: &mut fastrand::Rng) -> Vec<Vec<usize>> {
        let mut blocks: Vec<usize> = (0..self.blocks.len()).collect();
        rng.mix(&mut blocks);
        self.groups_of(&blocks)
    }

    /// The groups in the order of the file.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        self.groups_of(&(0..self.blocks.len()).collect::<Vec<usize>>())
    }

    fn groups_of(&self, blocks: &[usize]) -> Vec<Vec<usize>> {
        even_parts(blocks, self.group_blocks).map(<[usize]>::to_vec).collect()
    }

    /// Reads the blocks of a group.
    ///
    /// # Errors
    /// The system's.
    pub fn read(&self, blocks: &[usize]) -> Result<Group, CommandError> {
        let mut bytes = Vec::new();
        let mut group = Group::default();
        for (number, &block) in blocks.iter().enumerate() {
            let samples = self
                .read_block(self.blocks[block], &mut bytes)
                .map_err(|error| failed(&self.folder, &error.to_string()))?
                .ok_or_else(|| failed(&self.folder, "found other bytes than were written"))?;
            let number = number as u32;
            group.places.extend((0..samples.len() as u32).map(|index| Place { number, index }));
            group.blocks.push(samples);
        }
        Ok(group)
    }

    fn read_block(&self, block: Block, bytes: &mut Vec<u8>) -> io::Result<Option<Samples>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(block.offset))?;
        bytes.resize(block.bytes, 0);
        file.read_exact(bytes)?;
        Ok(Samples::read(bytes))
    }

    /// The same file, read in smaller groups.
    #[cfg(test)]
    pub fn in_groups_of(self, group_blocks: usize) -> SampleFile {
        SampleFile { group_blocks, ..self }
    }
}

/// An error of the temporary file.
fn failed(folder: &Path, what: &str) -> CommandError {
    CommandError::Failed(format!("samples in a temporary file in {}: {what}", folder.display()))
}

/// Some blocks of samples in memory.
#[derive(Debug, Default)]
pub struct Group {
    blocks: Vec<Samples>,
    places: Vec<Place>,
}

/// Where a sample is in a group.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    number: u32,
    index: u32,
}

impl Group {
    pub fn get(&self, place: Place) -> Sample<'_> {
        self.blocks[place.number as usize].get(place.index as usize)
    }

    /// Where each sample is, in the order of the file.
    pub fn take_places(&mut self) -> Vec<Place> {
        take(&mut self.places)
    }
}

/// Cuts a list into as few parts as their length of at most `most` allows, the lengths as equal as
/// can be.
pub fn even_parts<T>(list: &[T], most: usize) -> impl Iterator<Item = &[T]> {
    let count = list.len().div_ceil(most);
    let start = move |part: usize| (list.len() as u64 * part as u64 / count as u64) as usize;
    (0..count).map(move |part| &list[start(part)..start(part + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::loss::Share;
    use std::collections::BTreeSet;

    /// A sample that is known by its number.
    fn add(samples: &mut SampleWriter, number: u16) {
        let inputs = vec![number; 1000 + usize::from(number % 7)];
        samples.push(Sample {
            inputs: &inputs,
            row_ends: &[1, 2],
            rows: &[number, 1],
            shares: &[Share { number: 1, share: 1.0 }],
            target: None,
            base: f32::from(number),
        });
    }

    fn file(count: u16) -> SampleFile {
        let folder = tempfile::tempdir().unwrap();
        let mut samples = SampleWriter::new(Some(folder.path())).unwrap();
        (0..count).for_each(|number| add(&mut samples, number));
        assert_eq!(samples.len(), usize::from(count));
        // It has no name.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        samples.end().unwrap().unwrap()
    }

    #[test]
    fn all_samples_come_back_once_in_an_epoch() {
        let file = file(1500);
        assert!(file.blocks.len() > 8, "{:?}", file.blocks);
        assert!(file.blocks.iter().all(|block| block.bytes < BLOCK_BYTES + 4096));
        let rng = &mut fastrand::Rng::with_seed(1);
        let mut orders = BTreeSet::new();
        assert_eq!(file.groups().len(), 1);
        let file = file.in_groups_of(3);
        for groups in [file.groups(), file.mixed_groups(rng), file.mixed_groups(rng)] {
            assert_eq!(groups.len(), file.blocks.len().div_ceil(3));
            let mut found = Vec::new();
            for group in &groups {
                let mut group = file.read(group).unwrap();
                for place in group.take_places() {
                    let sample = group.get(place);
                    let number = sample.inputs[0];
                    assert_eq!(sample.inputs.len(), 1000 + usize::from(number % 7));
                    assert_eq!((sample.rows[0], sample.base), (number, f32::from(number)));
                    found.push(number);
                }
            }
            orders.insert(found.clone());
            found.sort_unstable();
            assert_eq!(found, (0..1500).collect::<Vec<u16>>());
        }
        assert_eq!(orders.len(), 3);
    }

    #[test]
    fn samples_may_be_counted_only() {
        let mut samples = SampleWriter::new(None).unwrap();
        (0..600).for_each(|number| add(&mut samples, number));
        assert_eq!(samples.len(), 600);
        assert!(samples.end().unwrap().is_none());
    }

    #[test]
    fn parts_are_even_and_few() {
        for (len, most, expected) in
            [(0, 4, &[][..]), (4, 4, &[4]), (5, 4, &[2, 3]), (9, 4, &[3, 3, 3]), (1, 4, &[1])]
        {
            let list: Vec<usize> = (0..len).collect();
            let parts: Vec<&[usize]> = even_parts(&list, most).collect();
            assert_eq!(parts.concat(), list);
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<usize>>(), expected);
        }
    }
}
