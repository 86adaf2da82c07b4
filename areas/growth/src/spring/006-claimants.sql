-- Devices that drew stand with the claimants now.
INSERT INTO claimants_use (reward, kind, key, slot, user_id, used_ms)
  SELECT 'spring:' || activity_id, 'device', device, 0, user_id, 0 FROM spring_device;
DROP TABLE spring_device;
