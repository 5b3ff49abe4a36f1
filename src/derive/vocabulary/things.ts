/**
 * Things of which one may have several, one a line: the singular, and the plural where that is not the singular with an s. `has_pet`,
 * `has_pets` and `pets` are one predicate.
 */
export const COUNTABLE = `
  child children
  son
  daughter
  sibling
  brother
  sister
  grandchild grandchildren
  cousin
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
  hobby hobbies
  interest
  passion
  talent
  habit
  tattoo
  dream
  wish wishes
  email
  email_address email_addresses
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
  branch branches
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
  allergy allergies
  intolerance
  illness illnesses
  disease
  disability disabilities
  diagnosis diagnoses
  medication
  prescription
  vaccination
  injury injuries
  scar
  doctor
  phobia
  dependency dependencies
  library libraries
  module
  class classes
  method
  function
  field
  attribute
  property properties
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
  repository repositories
  file
  folder
  dataset
  table
  column
  index indexes
  api
  server
  container
  label
  category categories
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
