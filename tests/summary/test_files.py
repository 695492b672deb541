"""Files that a cell names."""

import struct

import pytest

from crane_llm.summary import files, summarize_cell


def told(source, **namespace):
    return summarize_cell(source, namespace=namespace, deadline=None).to_text()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_csv_header(folder):
    (folder / "data.csv").write_text("name;age;x\na;1;2,5\n")
    assert "'data.csv': path; file of 19 bytes; 3 columns: name, age, x" in told("pd.read_csv('data.csv')")
    (folder / "plain.csv").write_text("1,2,3\n4,5,6\n")
    assert "columns" not in told("pd.read_csv('plain.csv')")


def test_missing_files_only_where_they_are_read():
    assert told("pd.read_csv('gone.csv')").startswith("'gone.csv': path; does not exist\n")
    assert (
        told("df.to_csv('gone.csv'); df.savefig('x.png'); open('y.txt', 'w')", df=1)
        == "df: int; 1; no attribute to_csv, savefig"
    )
    assert "does not exist" in told("open('y.txt')")
    assert told("'and/or'; 'https://a.b/c.csv'; 'N/A'; '*.csv'") == ""


def test_folders(folder):
    np = pytest.importorskip("numpy")
    (folder / "in" / "sub").mkdir(parents=True)
    for index in range(3):
        np.save(folder / "in" / f"{index}.npy", np.zeros((index + 2, 4)) if index else np.float32(1))
    text = told("load('in/')", load=1)
    assert "folder of 3 .npy, 1 folders" in text
    assert "() <f4 ×1" in text and "(3, 4) <f8 ×1" in text


def test_text_variables_that_are_paths(folder):
    (folder / "in").mkdir()
    assert "root: str; 'in/'; empty folder" in told("root", root="in/")
    assert "does not exist" in told("file", file="missing.csv") and "does not exist" not in told("word", word="and/or")


def test_image_headers(folder):
    image = pytest.importorskip("PIL.Image")
    for name, mode in (("a.png", "RGB"), ("b.png", "L"), ("c.jpg", "RGB"), ("d.bmp", "RGB"), ("e.gif", "P")):
        image.new(mode, (31, 17)).save(folder / name)
    assert files.image_size("a.png") == "31×17 rgb" and files.image_size("b.png") == "31×17 gray"
    assert (
        files.image_size("c.jpg") == "31×17 rgb"
        and files.image_size("d.bmp") == "31×17"
        and files.image_size("e.gif") == "31×17 palette"
    )
    (folder / "bad.png").write_bytes(b"not an image")
    (folder / "cut.jpg").write_bytes(b"\xff\xd8\xff\xe0" + struct.pack(">H", 60000))
    assert (
        files.image_size("bad.png") is None
        and files.image_size("cut.jpg") is None
        and files.image_size("nowhere.png") is None
    )


def test_special_files_are_not_opened(folder):
    import os

    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(folder / "pipe.csv")
    assert files.image_size("pipe.csv") is None
    told("open('pipe.csv')")  # would block for ever if it were opened
