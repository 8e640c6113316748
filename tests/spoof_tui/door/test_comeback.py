"""The word by which a guest without a key comes back."""

from spoof_tui.door.folders import LENGTH, new_word, read_word


def test_every_word_is_another_one_and_long() -> None:
    words = {new_word() for _ in range(100)}
    assert len(words) == 100
    assert {len(word.replace("-", "")) for word in words} == {LENGTH}


def test_a_word_is_read_however_it_is_typed() -> None:
    word = new_word()
    typed = (word, word.lower(), word.replace("-", ""), f"  {word.replace('-', ' ')}\n")
    assert {read_word(each) for each in typed} == {word}
    assert read_word(f"{word}A") != word
    assert read_word(" \x1b") == ""
