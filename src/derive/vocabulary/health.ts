import type { PredicateTable } from './table.ts';

/** Predicates of health and of the body. */
export const HEALTH: PredicateTable = {
  one: `
    blood_type blood_group
    body_weight
    body_temperature
    blood_pressure
    resting_heart_rate
    heart_rate
    blood_sugar blood_glucose
    cholesterol
    bmi body_mass_index
    due_date_of_birth
    primary_doctor family_doctor general_practitioner
    dentist
    health_insurance
    insured_by
    insurance_number
    emergency_contact
    next_appointment_on
    last_checkup_on
    organ_donor
    smoking_status
    sleeps_hours
    daily_steps
    calorie_goal
    pregnancy_status
    recovery_status
    dosage dose
  `,
  many: `
    allergic_to has_allergy_to
    intolerant_to
    sensitive_to
    diagnosed_with
    suffers_from
    takes_medicine takes_medication takes_drug on_medication
    takes_supplement
    prescribed
    treated_for
    treated_with
    treated_by
    treated_at
    vaccinated_against
    underwent had_surgery had_operation
    injured
    has_symptom
    side_effect
    contraindicated_with
    family_history_of
    recovering_from
    recovered_from
    avoids
    avoids_food cannot_eat does_not_eat
    diet follows_diet
    exercises does_exercise
    trains_for
    sees_doctor
    sees_specialist
    checked_into
    hospitalized_in hospitalised_in
    wears
    phobia_of
    addicted_to
    quit gave_up
  `,
  exclusive: '',
};
