-- Requests that may come again, with their answers. docs/decisions/0009-idempotency.md has the reasons.

CREATE TABLE idempotency_keys (
  -- SHA-256 over who asked, for what, and the client's key, which is not kept itself.
  digest BYTEA NOT NULL CONSTRAINT idempotency_keys_digest_length CHECK (length(digest) = 32),
  -- Who asked; null for the operator.
  user_id BIGINT CONSTRAINT idempotency_keys_user REFERENCES users,
  -- Tells the request from others under the same key.
  fingerprint BYTEA NOT NULL
    CONSTRAINT idempotency_keys_fingerprint_length CHECK (length(fingerprint) = 32),
  -- Where there is one, the body is sealed with a key that only the request itself yields.
  salt BYTEA CONSTRAINT idempotency_keys_salt_length CHECK (length(salt) = 16),
  status BIGINT NOT NULL CONSTRAINT idempotency_keys_status CHECK (status BETWEEN 200 AND 499),
  entity_tag TEXT,
  location TEXT,
  body BYTEA NOT NULL,
  expires_at BIGINT NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (digest)
);

CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

-- What somebody was answered is forgotten with the person.
CREATE INDEX idempotency_keys_of_user ON idempotency_keys (user_id);
