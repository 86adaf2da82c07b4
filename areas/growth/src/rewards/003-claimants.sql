-- Devices that claimed stand with the claimants now.
INSERT INTO claimants_use (reward, kind, key, slot, user_id, used_ms)
  SELECT 'task:' || task_id, 'device', device, 0, user_id, 0 FROM rewards_device;
DROP TABLE rewards_device;
