-- A person's draws of all activities, newest first.
CREATE INDEX spring_draw_by_user ON spring_draw (user_id, made_ms);
