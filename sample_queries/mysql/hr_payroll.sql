-- Payroll on MySQL: LOAD DATA, user variables, ON DUPLICATE KEY UPDATE, a multi-table UPDATE, a procedure.
use hr;

create table timesheet (employee_id int, work_date date, hours decimal(4, 1), cost_center varchar(10));
create table payroll (
    employee_id int primary key, month date, hours decimal(6, 1), gross decimal(12, 2), runs int default 0
);

load data local infile '/var/import/timesheet-2026-11.csv'
into table timesheet
fields terminated by ';' optionally enclosed by '"'
ignore 1 lines
(employee_id, work_date, @minutes, cost_center)
set hours = @minutes / 60;

select max(rate) into @rate from salary_rate where valid_from <= '2026-11-01';

insert into payroll (employee_id, month, hours, gross)
select t.employee_id, '2026-11-01', sum(t.hours), sum(t.hours) * @rate
from timesheet as t
group by t.employee_id
on duplicate key update hours = values(hours), gross = payroll.gross + values(gross), runs = runs + 1;

update payroll as p
join employee as e on e.employee_id = p.employee_id
set p.gross = p.gross + e.salary
where e.department <> 'external';

delimiter //
create procedure archive_month(in which date)
begin
    insert into payroll_archive (employee_id, month, gross)
    select employee_id, month, gross from payroll where month = which;
    delete from payroll where month = which;
end //
delimiter ;

call archive_month('2026-10-01');

select employee_id, gross into outfile '/var/export/payroll.csv' from payroll where gross > 0;
