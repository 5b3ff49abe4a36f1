import type { PredicateTable } from './table.ts';

/** Predicates of work, of organisations, of learning and of money. */
export const WORK: PredicateTable = {
  one: `
    works_at works_for employed_by employed_at
    works_as occupation profession job_is
    job_title has_job_title
    role_at
    works_from works_remotely_from
    reports_to managed_by
    hired_on start_date_at_work
    employment_status
    employee_id
    plays_for
    salary annual_salary
    notice_period
    office_location office_in
    desk_number
    working_hours
    years_of_experience
    studies_at enrolled_at
    major studies_subject
    graduated_on
    school_year
    assigned_to assignee
    due_on due_date deadline
    started_on start_date began_on
    ended_on end_date finished_on
    completed_on
    scheduled_for scheduled_on
    happens_on takes_place_on
    takes_place_at takes_place held_at venue
    takes_place_in held_in
    rescheduled_to
    duration lasts
    priority has_priority
    status has_status
    stage phase
    progress
    estimate
    budget has_budget
    headquartered_in headquarters_in
    founded_in established_in
    founded_on
    dissolved_on
    incorporated_in
    legal_name
    legal_form
    industry
    ceo chief_executive
    cto
    cfo
    chairperson chairman
    parent_company subsidiary_of
    acquired_by
    number_of_employees headcount employee_count
    revenue annual_revenue
    valuation
    market_cap
    stock_price
    ticker_symbol
    tax_number vat_number
    fiscal_year_end
    website homepage
    contract_ends_on contract_end
    renews_on renewal_date
    plan_is subscribed_plan
    billing_cycle
    payment_method
    currency
    account_number
    account_balance balance
    credit_limit
    interest_rate
    invoice_total
    paid_on
    shipped_on
    delivered_on
    tracking_number
    order_status
    quantity
    decided_on
    approved_by
    account_manager
    point_of_contact
  `,
  many: `
    worked_at formerly_worked_at used_to_work_at
    works_with colleague_of coworker_of
    worked_on works_on
    contributes_to contributed_to
    manages
    supervises
    mentors
    mentored_by
    leads
    responsible_for in_charge_of
    collaborates_with collaborated_with
    partner_of partners_with
    competes_with competitor_of
    customer_of client_of
    supplier_of supplies
    vendor_of
    employs
    hired
    fired laid_off
    interviewed
    applied_to applied_for
    offered_job_by
    studied_at graduated_from alumnus_of
    studies
    studied
    teaches
    taught
    takes_course
    completed_course
    passed_exam
    certified_in
    skilled_in
    experienced_in
    specializes_in specialises_in
    won
    nominated_for
    published
    authored wrote author_of
    edited
    translated
    presented
    spoke_at
    invented
    designed
    directed
    produced
    founded founder_of
    co_founded co_founder_of
    invests_in invested_in
    invested_by funded_by
    sponsors
    sponsored_by
    acquired
    board_member_of
    advises
    advised_by
    subsidiary
    operates_in
    serves
    sells
    offers
    produces manufactures
    competes_in
    participates_in participated_in takes_part_in
    organizes organises organized organised
    hosts
    hosted
    attendee
    agenda_item
    action_item
    decision
    milestone
    goal
    objective
    blocked_by
    blocks
    requested
    approved
    rejected
    reviewed
    signed
    negotiates_with
    accepts_payment_by
    paid
    owes
    ordered
    cancelled canceled
    complained_about
    reported
    requires_skill
    uses
    stakeholder_of
  `,
  exclusive: `
    head_of leader_of chief_of
    ceo_of chief_executive_of
    president_of
    chair_of chairperson_of
    principal_of
    captain_of
    mayor_of
    champion_of
  `,
};
