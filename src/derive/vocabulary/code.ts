import type { PredicateTable } from './table.ts';

/** Predicates of software and of what it runs on. */
export const CODE: PredicateTable = {
  one: `
    version has_version current_version
    latest_version
    language_version
    license licence has_license licensed_under
    default_branch main_branch
    repository_url
    defined_in declared_in
    returns return_type returns_type
    has_type type_of_value
    default_value
    has_value
    is_set_to
    extends_class inherits_from_class
    package_manager
    build_tool
    build_status
    entry_point
    runs_on_port listens_on_port port
    hosted_on
    hosted_at
    deployed_version
    deployed_on
    ip_address
    hostname
    base_url
    timeout
    memory_limit
    cpu_limit
    replica_count replicas
    environment
    root_cause
    severity
    resolved_in fixed_in
    introduced_in
    released_on release_date
    end_of_life_on
    test_coverage
    file_size
    file_path
    line_count lines_of_code
    commit_hash head_commit
    reported_by
    checksum
    encoding
    latency
    uptime
    region
    primary_key
    created_at
    updated_at
    deleted_at
  `,
  many: `
    imports
    imported_by
    exports
    calls
    called_by
    depends_on requires
    dependency_of
    dev_depends_on
    implements
    implemented_by
    extends
    extended_by
    overrides
    instantiates
    references
    referenced_by
    contains includes comprises
    part_of
    has_parameter takes_parameter
    throws
    raises
    catches
    emits
    subscribes_to_event
    publishes_to
    consumes_from
    reads_from
    writes_to
    connects_to
    integrates_with
    exposes
    provides
    supports
    compatible_with
    incompatible_with
    conflicts_with
    replaces
    deprecates
    deprecated_in_favor_of
    written_in programmed_in
    built_with
    runs_on
    deployed_to
    tested_with
    tested_by
    tests
    documented_in
    documents
    configured_by
    configures
    has_endpoint
    has_environment_variable reads_environment_variable
    has_feature
    has_feature_flag
    known_issue
    affected_by
    affects
    causes
    caused_by
    fixes
    fixed
    closes_issue
    merged
    committed
    opened_pull_request
    reviewed_by
    maintained_by
    owned_by_team
    monitored_by
    alerts
    triggers
    triggered_by
    generates
    generated_from
    validates
    encrypts
    caches
    forked_from
    mirrors
    similar_to
    alternative_to
    is_a instance_of kind_of
    has_part
    made_of consists_of
    used_for
    used_by
    located_near near
    borders
    produces_output
    accepts_input
    crosses
  `,
  exclusive: '',
};
