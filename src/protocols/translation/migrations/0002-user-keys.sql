-- The user folded (3.1.5.10): jobs of before have none, and are found by the user as it was written.

alter table jobs add column user_key text;
