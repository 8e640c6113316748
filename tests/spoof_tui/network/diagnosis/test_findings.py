"""Names of findings, which programs read."""

from spoof_tui.network.diagnosis.findings import Code, Severity


def test_the_codes_are_words_and_dashes() -> None:
    assert all(code.value.replace("-", "").isalnum() for code in Code)
    assert {code.value: code.name.lower().replace("_", "-") for code in Code} == {
        code.value: code.value for code in Code
    }


def test_a_problem_is_worse_than_a_note() -> None:
    assert Severity.PROBLEM > Severity.WARNING > Severity.NOTE
