-- Orders and clickstream into a mart: temporary tables, MERGE, a blue/green swap by rename, UNLOAD.
set search_path to shop, public;

create table shop.orders (
    order_id bigint, customer_id bigint, ordered_at timestamp, status varchar(16), currency char(3), amount decimal(12, 2)
);
create table shop.exchange_rate (currency char(3), rate_to_usd decimal(10, 6));
create table shop.click (session_id varchar(36), customer_id bigint, page varchar(200), clicked_at timestamp, event super);
create table shop.customer_value (
    customer_id bigint, orders integer, revenue_usd decimal(14, 2), last_page varchar(200), updated_at timestamp
);

copy shop.orders from 's3://acme-shop/orders/2026/11/' iam_role default format as parquet;
copy shop.click from 's3://acme-shop/clickstream/' iam_role default json 'auto' gzip;

begin;

create temp table paid as
select o.customer_id, count(*) as orders, sum(o.amount * coalesce(r.rate_to_usd, 1)) as revenue_usd
from orders o
left join exchange_rate r using (currency)
where o.status = 'paid'
group by o.customer_id;

create table #last_click as
select customer_id, page, event.campaign.name::varchar as campaign
from click
qualify row_number() over (partition by customer_id order by clicked_at desc) = 1;

merge into customer_value
using (select p.*, c.page from paid p left join #last_click c on c.customer_id = p.customer_id) s
on customer_value.customer_id = s.customer_id
when matched then update set orders = s.orders, revenue_usd = s.revenue_usd, last_page = s.page, updated_at = getdate()
when not matched then insert (customer_id, orders, revenue_usd, last_page) values (s.customer_id, s.orders, s.revenue_usd, s.page);

commit;

-- blue/green: build beside, then swap
create table campaign_revenue_new as
with by_campaign as (
    select c.campaign, v.revenue_usd
    from #last_click c
    join customer_value v on v.customer_id = c.customer_id
)
select campaign, sum(revenue_usd) as revenue_usd, sum(revenue_usd) / count(*) as per_customer
from by_campaign
group by campaign;

alter table campaign_revenue rename to campaign_revenue_old;
alter table campaign_revenue_new rename to campaign_revenue;
drop table campaign_revenue_old;

unload ($$ select campaign, revenue_usd from shop.campaign_revenue where revenue_usd > 1000 $$)
to 's3://acme-share/campaign_revenue/' iam_role default format parquet partition by (campaign);
