-- What a person logged in with, where that is known: entries made with the log-in have its source. Which clients there are
-- says the service.

ALTER TABLE tokens ADD COLUMN client TEXT
  CONSTRAINT tokens_client CHECK (client IS NULL OR organization_id IS NULL);
