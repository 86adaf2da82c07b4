-- What a coupon has added so far, in parts of 1e-8 of a unit (text: a large coupon leaves the range of integers). Of those
-- under way it is not known: they count as used up.
ALTER TABLE earn_holding ADD COLUMN boost_parts {{text}} NOT NULL DEFAULT '0';
UPDATE earn_holding SET boost_parts = '1000000000000000000000000000000' WHERE boost_rate > 0 AND kind = 'flexible';
-- The same of a coupon that another has followed on its holding.
ALTER TABLE earn_coupon ADD COLUMN added_parts {{text}};
-- What a day's interest was reckoned on, where nothing came or went that day and no coupon added to it; 0 elsewhere.
ALTER TABLE earn_move ADD COLUMN base_units {{amount}} NOT NULL DEFAULT 0;
