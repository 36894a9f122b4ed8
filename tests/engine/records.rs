//! Game records of earlier versions stay readable.

use alesia::games::AnyGame;
use alesia::record::checked_line::json_line;
use alesia::record::game_record::{GameRecord, read};

#[test]
fn each_form_written_so_far_is_read_and_agrees_with_the_rules() {
    let samples = include_str!("../data/records.tsv");
    for sample in samples.lines().filter(|line| !line.starts_with('#')) {
        let (form, line) = sample.split_once('\t').unwrap();
        let record: GameRecord = read(form, line).unwrap();
        if record.definition.is_none() {
            let start = AnyGame::start(record.spec().unwrap());
            assert_eq!(record.check(start), Ok(()), "{form}");
        }
        let written = json_line(&record);
        assert_eq!(read::<GameRecord>(form, &written).unwrap(), record, "{form}");
        if line.contains("crc32") {
            assert_eq!(written.trim_end(), line, "{form}");
        }
    }
}
