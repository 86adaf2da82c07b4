-- What its owner paid for a payment to be offered more than it had been: how often, how much, and whether the ledger is
-- being told (PAYING) or has been (empty).
ALTER TABLE withdrawals_withdrawal ADD COLUMN speed_ups {{integer}} NOT NULL DEFAULT 0;
ALTER TABLE withdrawals_withdrawal ADD COLUMN speed_units {{amount}} NOT NULL DEFAULT 0;
ALTER TABLE withdrawals_withdrawal ADD COLUMN speed_state {{text}} NOT NULL DEFAULT '';
