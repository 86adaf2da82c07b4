-- What one person proposed and another decides about. `payload` is canonical JSON and `payload_hash` names it; began_ms
-- is written before anything is done, so that a process that stopped meanwhile goes on under the same reference.
CREATE TABLE proposals_proposal (
  id {{identity}},
  proposal_id {{text}} NOT NULL,
  kind {{text}} NOT NULL,
  client_id {{text}} NOT NULL,
  payload {{text}} NOT NULL,
  payload_hash {{text}} NOT NULL,
  proposer_id {{integer}} NOT NULL,
  beneficiary_id {{integer}},
  state {{text}} NOT NULL
    CHECK (state IN ('PROPOSED', 'APPROVED', 'EXECUTED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'FAILED')),
  created_ms {{integer}} NOT NULL,
  expires_ms {{integer}} NOT NULL,
  decided_by {{integer}},
  decided_ms {{integer}},
  is_simulated {{boolean}} NOT NULL,
  reason {{text}} NOT NULL,
  began_ms {{integer}},
  ended_ms {{integer}},
  outcome {{text}} NOT NULL
);
CREATE UNIQUE INDEX proposals_proposal_by_name ON proposals_proposal (proposal_id);
CREATE UNIQUE INDEX proposals_proposal_by_intent ON proposals_proposal (proposer_id, kind, client_id);
CREATE INDEX proposals_proposal_by_state ON proposals_proposal (state, id);
