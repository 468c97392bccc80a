-- How many items of a job have failed is told without reading the others, however many there are.
create index items_failed on items (job_key, stop_time) where error_code is not null;
