-- The language in which a person reads the service's pages: of the account, and as each organization has it. Null means that
-- the person has chosen none. Which languages there are says the service.

ALTER TABLE users ADD COLUMN language TEXT;
ALTER TABLE members ADD COLUMN language TEXT;
