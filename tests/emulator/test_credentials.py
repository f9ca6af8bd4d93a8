from airflow_video_creation.emulator.credentials import TOKEN, TokenIssuer


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_valid_until_it_expires() -> None:
    clock = Clock()
    tokens = TokenIssuer(b"key", clock)
    token = tokens.issue(60)
    assert tokens.is_valid(token)
    clock.now += 59.9
    assert tokens.is_valid(token)
    clock.now += 0.1
    assert not tokens.is_valid(token)


def test_each_token_is_a_new_one() -> None:
    tokens = TokenIssuer(b"key", Clock())
    assert tokens.issue(60) != tokens.issue(60)


def test_a_token_outlives_a_restart_with_the_same_key() -> None:
    token = TokenIssuer(b"key", Clock()).issue(60)
    assert TokenIssuer(b"key", Clock()).is_valid(token)
    assert not TokenIssuer(b"another key", Clock()).is_valid(token)


def test_expiring_all_leaves_the_published_token_and_later_ones() -> None:
    tokens = TokenIssuer(b"key", Clock())
    early = tokens.issue(60)
    tokens.expire_all()
    assert not tokens.is_valid(early)
    assert tokens.is_valid(tokens.issue(60))
    assert tokens.is_valid(TOKEN)


def test_what_was_not_issued_is_not_valid() -> None:
    tokens = TokenIssuer(b"key", Clock())
    for token in (
        "",
        "nonsense",
        "1-9999",
        "1-9999-",
        "€-9999-00",
        f"Bearer {TOKEN}",
        tokens.issue(60) + "0",
    ):
        assert not tokens.is_valid(token)
