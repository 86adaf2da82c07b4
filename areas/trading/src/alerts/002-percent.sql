-- How far from the last price an alert was set, in percent; and whether it is set again as far from the price that met it.
ALTER TABLE alerts_alert ADD COLUMN percent {{text}};
ALTER TABLE alerts_alert ADD COLUMN repeats {{boolean}};
