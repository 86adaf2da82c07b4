-- One device, one person's cards of an activity.
CREATE TABLE spring_device (
  activity_id {{text}} NOT NULL,
  device {{text}} NOT NULL,
  user_id {{integer}} NOT NULL,
  PRIMARY KEY (activity_id, device)
);
