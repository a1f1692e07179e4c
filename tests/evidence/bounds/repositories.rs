//! Repositories whose objects are far larger unpacked than packed.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::{RETURN, claim};
use crate::common::{World, run};

/// A pack with a commit and a difference from it of 15 MB, and an index in which both packs have the
/// difference under sixteen names with the same beginning.
fn hostile_packs(world: &World) {
    let folder = world.path("project/.git/objects/pack");
    fs::create_dir_all(&folder).expect("a folder");
    for name in [1, 2] {
        let mut pack =
            BufWriter::new(File::create(folder.join(format!("pack-{name}.pack"))).expect("a pack"));
        let commit = compress_to_vec_zlib(b"tree ", 1);
        let size = 15 << 20;
        let delta = compress_to_vec_zlib(&vec![0; size], 1);
        let head = [b"PACK\0\0\0\x02\0\0\0\x02" as &[u8], &[0x15], &commit].concat();
        let at = head.len();
        let mut length = vec![0x60 | 0x80 | u8::try_from(size & 15).expect("four bits")];
        let mut rest = size >> 4;
        while rest > 0x7f {
            length.push(0x80 | u8::try_from(rest & 0x7f).expect("seven bits"));
            rest >>= 7;
        }
        length.push(u8::try_from(rest).expect("seven bits"));
        let back = u8::try_from(at - 12).expect("a short way");
        for part in [&head, &length, &vec![back], &delta] {
            pack.write_all(part).expect("it is written");
        }
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255_u32 {
            let count = if first < 0xab { 0_u32 } else { 16 };
            index.extend(count.to_be_bytes());
        }
        for last in 0..16_u8 {
            let id = [&[0xab, 0xcd, 0xef, 0x01][..], &[0; 14], &[name, last]].concat();
            index.extend(id);
        }
        index.extend([0; 4 * 16]);
        for _ in 0..16 {
            index.extend(u32::try_from(at).expect("near").to_be_bytes());
        }
        fs::write(folder.join(format!("pack-{name}.idx")), index).expect("an index");
    }
    fs::write(world.path("project/.git/HEAD"), "ref: refs/heads/main\n").expect("a file");
}

#[test]
fn a_repository_with_oversized_objects_leaves_claims_unknown() {
    let world = World::with("rules/artifact-unwritten");
    hostile_packs(&world);
    let arguments = format!("check {RETURN} --root project --rev abcdef01 --format json");
    let output = run(world.retval().args(arguments.split(' ')));
    assert_eq!(
        claim(&output, "artifact-unchanged"),
        "unknown: the file or the history is too large"
    );
}
