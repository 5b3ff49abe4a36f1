/**
 * Things of which one may have several, one a line: the singular, and the plural where that is irregular. `has_pet`, `has_pets` and
 * `pets` are one predicate.
 */
export const COUNTABLE = `
  child children
  parent
  son
  daughter
  sibling
  brother
  sister
  grandchild grandchildren
  cousin
  grandparent
  nephew
  niece
  uncle
  aunt
  roommate
  relative
  friend
  pet
  dog
  cat
  horse
  car
  bike
  house
  plant
  interest
  passion
  talent
  habit
  tattoo
  dream
  wish
  email
  email_address
  phone
  phone_number
  account
  social_media_account
  language
  degree
  diploma
  certificate
  certification
  qualification
  project
  task
  meeting
  appointment
  event
  trip
  holiday
  reservation
  subscription
  membership
  ticket
  client
  customer
  supplier
  employee
  teammate
  colleague
  team_member
  member
  department
  team
  branch
  office
  store
  product
  service
  competitor
  investor
  shareholder
  founder
  partner_organisation
  contract
  invoice
  loan
  debt
  asset
  allergy
  intolerance
  illness
  disease
  disability
  diagnosis diagnoses
  medication
  prescription
  vaccination
  injury
  scar
  doctor
  phobia
  dependency
  library
  module
  class
  method
  function
  field
  attribute
  property
  argument
  bug
  issue
  pull_request
  commit
  release
  contributor
  reviewer
  user
  role
  permission
  repository
  file
  folder
  dataset
  table
  column
  index
  api
  server
  container
  label
  category
  topic
  keyword
  link
  attachment
  comment
  note
  photo
  video
  ingredient
  recipe
  instrument
  sport
  award
  medal
  publication
  book
  song
  album
  film
`;

/**
 * Things that go by another predicate, one a line: that predicate, the singular, and the plural where that is irregular. What is said by
 * the noun, with `has_` or in the plural, is said by the predicate.
 */
export const NAMED_THINGS = `
  hobby hobby
  nickname nickname
  also_known_as alias
  nationality nationality
  nationality citizenship
  tagged tag
  neighbor_of neighbor
  neighbor_of neighbour
  skilled_in skill
  subsidiary subsidiary
  attendee attendee
  agenda_item agenda_item
  action_item action_item
  decision decision
  milestone milestone
  goal goal
  objective objective
  has_symptom symptom
  side_effect side_effect
  diet dietary_restriction
  has_parameter parameter
  has_endpoint endpoint
  has_environment_variable environment_variable
  has_feature feature
  has_feature_flag feature_flag
  known_issue known_issue
  maintained_by maintainer
  has_part part
`;
