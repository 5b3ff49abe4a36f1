import type { PredicateTable } from './table.ts';

/** Predicates of people and of everyday life. */
export const EVERYDAY: PredicateTable = {
  one: `
    lives_in resides_in living_in home_is
    lives_at resides_at
    lives_with
    born_in birthplace was_born_in place_of_birth
    born_on birth_date birthdate date_of_birth
    has_birthday birthday
    birth_year year_of_birth
    died_in place_of_death
    died_on death_date date_of_death
    age has_age is_aged
    name has_name is_named
    full_name
    asserts
    first_name given_name
    last_name family_name surname
    maiden_name
    gender has_gender
    pronouns has_pronouns
    height has_height
    shoe_size
    clothing_size
    eye_color eye_colour
    hair_color hair_colour
    hometown from_town grew_up_in
    native_language mother_tongue
    zodiac_sign star_sign
    married_to spouse spouse_of
    married_on wedding_date
    engaged_to
    dating in_relationship_with
    marital_status relationship_status
    number_of_children child_count
    number_of_siblings sibling_count
    home_address
    address has_address
    postal_code zip_code
    time_zone timezone
    located_in located_at situated_in
    current_location currently_at is_at
    current_city
    moved_from
    moved_to relocated_to
    commutes_by
    next_trip_to
    passport_number
    favorite_color favourite_colour
    favorite_food favourite_food
    favorite_movie favourite_film
    favorite_book favourite_book
    best_friend
    wakes_up_at
    goes_to_bed_at
    religion
    political_affiliation
    mood feels
    parked_at
    kept_in stored_in
    price costs has_price
    color colour has_color
    size has_size
    weight weighs has_weight
    material
    brand
    serial_number
    expires_on expiry_date
    opening_hours business_hours
    rent monthly_rent
    income earns
  `,
  many: `
    likes enjoys is_fond_of
    loves adores
    dislikes
    hates detests
    fears afraid_of scared_of
    interested_in
    wants_to_visit
    wants_to_learn
    wants_to_buy
    dreams_of
    knows acquainted_with
    met
    friend_of friends_with
    neighbor_of neighbour_of
    roommate_of
    in_law_of
    relative_of
    related_to relates_to
    visited has_visited travelled_to traveled_to
    has_lived_in formerly_lived_in used_to_live_in
    nationality citizen_of
    speaks speaks_language
    learns learning is_learning
    member_of
    belongs_to
    parent_of
    mother_of
    father_of
    child_of
    son_of
    daughter_of
    sibling_of
    brother_of
    sister_of
    grandparent_of
    grandchild_of
    uncle_of
    aunt_of
    cousin_of
    godparent_of
    formerly_married_to divorced_from
    owns has possesses
    rents
    collects
    lost
    gave
    received
    bought purchased
    sold
    borrowed
    lent
    plays
    plays_instrument
    plays_sport
    watches
    watched has_watched
    reads
    has_read finished_reading
    listens_to
    sings
    cooks
    bakes
    eats
    drinks
    ate
    grows
    drives
    rides
    supports_team fan_of
    subscribes_to subscribed_to
    follows
    volunteers_at volunteers_for
    donates_to donated_to
    attends
    attended
    celebrates
    practices practises
    hobby hobby_is
    nickname
    also_known_as known_as
    pet_of
    good_at
    bad_at
    recommends recommended
    invited
    called
    talked_to spoke_with
    talked_about discussed
    mentioned
    said
    asked_about
    promised
    plans_to
    wants_to
    decided decided_to
    did
    made
    tried
    learned
    regrets
    thankful_for grateful_for
    proud_of
    remembers
    experienced
    went_to
    traveled_with travelled_with
    tagged
  `,
  exclusive: `
    capital_of
    owner_of
    holder_of
  `,
};
