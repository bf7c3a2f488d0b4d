-- Organizations that are moving to another cell, with the address of those that have moved: nothing else of them is served here.
-- docs/decisions/0051-moving-organizations.md has the reasons.
CREATE TABLE organization_departures (
  organization_id BIGINT NOT NULL CONSTRAINT organization_departures_organization REFERENCES organizations,
  -- The database that it moves to, as a later attempt finds it again.
  target TEXT NOT NULL,
  -- Null while it moves.
  address TEXT CONSTRAINT organization_departures_address CHECK (char_length(address) BETWEEN 1 AND 2048),
  CONSTRAINT organization_departures_pkey PRIMARY KEY (organization_id)
);

-- It is asked before a transaction has named anybody.
CREATE POLICY organization_departures_of_organization ON organization_departures
  USING (true) WITH CHECK (timeclock_everyone() IS NOT NULL);
ALTER TABLE organization_departures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- Raises what the statement that names an organization meets in the table above.
CREATE FUNCTION organization_departed(address TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  IF address IS NULL THEN
    RAISE EXCEPTION 'the organization is moving' USING ERRCODE = 'TC503';
  END IF;
  RAISE EXCEPTION '%', address USING ERRCODE = 'TC421';
END $$;

-- What an organization that has moved has left in the log goes once its operator clears it.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM organization_departures d
    WHERE d.organization_id = OLD.organization_id AND d.address IS NOT NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is never changed', TG_TABLE_NAME;
END $$;

-- Organizations that came from another cell.
CREATE TABLE organization_arrivals (
  organization_id BIGINT NOT NULL CONSTRAINT organization_arrivals_organization REFERENCES organizations,
  -- The epoch of its log, which is its own for as long as this database's is the other one.
  epoch TEXT NOT NULL CONSTRAINT organization_arrivals_epoch CHECK (epoch ~ '^[0-9a-f]{16}$'),
  database_epoch TEXT NOT NULL,
  CONSTRAINT organization_arrivals_pkey PRIMARY KEY (organization_id)
);

CREATE POLICY organization_arrivals_of_organization ON organization_arrivals
  USING ((CASE current_setting('timeclock.organization', true)
    WHEN organization_id::text THEN true WHEN 'everyone' THEN true END) IS NOT NULL);
ALTER TABLE organization_arrivals ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
