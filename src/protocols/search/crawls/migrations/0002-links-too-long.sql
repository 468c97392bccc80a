-- 0x800700CE, a link that is longer than URLs may be: its document is crawled, with a warning.
insert into crawl_errors (error_id, hr_result, error_level, mark_delete)
select max(error_id) + 1, -2147024690, 1, 0 from crawl_errors
where not exists (select 1 from crawl_errors where hr_result = -2147024690);
