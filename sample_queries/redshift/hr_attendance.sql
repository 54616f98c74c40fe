-- An HR warehouse on Redshift: two tables loaded by COPY, joined by CREATE TABLE AS.
create schema if not exists hr;

create table hr.employee (
    employee_id   integer not null,
    first_name    varchar(40),
    last_name     varchar(40),
    department    varchar(40),
    salary        decimal(10, 2),
    hired_on      date,
    primary key (employee_id)
) distkey (employee_id) sortkey (hired_on);

create table hr.attendance (
    employee_id   integer encode az64,
    absent_on     date,
    reason        varchar(20) encode lzo,
    hours         decimal(4, 1)
) diststyle auto;

copy hr.employee
from 's3://acme-hr-landing/csv/employees.csv'
iam_role 'arn:aws:iam::123456789012:role/hr-loader'
csv ignoreheader 1 region 'us-west-2';

copy hr.attendance (employee_id, absent_on, reason, hours)
from 's3://acme-hr-landing/csv/attendance.csv'
iam_role 'arn:aws:iam::123456789012:role/hr-loader'
csv ignoreheader 1 dateformat 'YYYY-MM-DD';

analyze hr.employee;

create table hr.employee_with_absence as
select
    e.*,
    a.absent_on,
    a.reason,
    case when a.reason = 'sick' then a.hours else 0 end as sick_hours
from hr.employee e
left join hr.attendance a on a.employee_id = e.employee_id
where e.hired_on < current_date;

create view hr.absence_by_department as
select
    department,
    count(distinct employee_id) as people,
    sum(sick_hours) as sick_hours,
    md5(listagg(last_name, ',') within group (order by employee_id)) as people_hash
from hr.employee_with_absence
group by department;

grant select on hr.absence_by_department to group analysts;
