/** Charities, made up, with what wordings may say of them. */
export const CAUSES = [
  {
    charity: 'Open Hands',
    cause: 'children in war zones',
    help: 'school meals',
    fact: 'a meal costs about 20 cents',
  },
  {
    charity: 'Clearwell',
    cause: 'families without clean water',
    help: 'wells',
    fact: 'a dollar gives a family water for a week',
  },
  {
    charity: 'Second Desk',
    cause: 'children who cannot go to school',
    help: 'school books',
    fact: 'a book costs about 50 cents',
  },
  {
    charity: 'Warm Door',
    cause: 'people who sleep on the street',
    help: 'beds for the night',
    fact: 'two dollars pay for a blanket',
  },
  {
    charity: 'Paws Home',
    cause: 'animals that were left behind',
    help: 'food and vets',
    fact: 'a dollar feeds a dog for a day',
  },
  {
    charity: 'Green Belt Friends',
    cause: 'farmers who lost their woods to fire',
    help: 'young trees',
    fact: 'a tree costs about 30 cents',
  },
  {
    charity: 'Little Lungs',
    cause: 'newborns with weak lungs',
    help: 'oxygen for clinics',
    fact: 'an hour of oxygen costs 40 cents',
  },
  {
    charity: 'Table for All',
    cause: 'families who go hungry',
    help: 'food parcels',
    fact: 'a dollar pays for three meals',
  },
  {
    charity: 'After the Flood',
    cause: 'people who lost their homes to floods',
    help: 'tents and tools',
    fact: 'a tarpaulin costs about two dollars',
  },
  {
    charity: 'Good Sight',
    cause: 'people who could see with a small operation',
    help: 'eye clinics',
    fact: 'an eye test costs about 60 cents',
  },
  {
    charity: 'Old Friends',
    cause: 'old people who live alone',
    help: 'visits and rides',
    fact: 'a ride to the doctor costs one dollar',
  },
  {
    charity: 'Mosquito Net Works',
    cause: 'children at risk of malaria',
    help: 'bed nets',
    fact: 'a net costs about two dollars',
  },
] as const;

export const LIVES = [
  { who: 'a student with a part-time job', life: 'I study and work part time' },
  { who: 'a nurse on night shifts', life: 'I work nights at a hospital' },
  { who: 'a parent of two small children', life: 'I have two small kids' },
  { who: 'retired and on a small pension', life: 'I live on a small pension' },
  { who: 'a driver who does online tasks between trips', life: 'I drive for a living' },
  { who: 'between two jobs', life: 'I am between jobs' },
  { who: 'a teacher in a village school', life: 'I teach at a small school' },
  { who: 'a cook in a canteen', life: 'I cook in a canteen' },
  { who: 'an office clerk', life: 'I have an office job' },
  { who: 'a carer of your mother', life: 'I look after my mother' },
  { who: 'a carpenter', life: 'I am a carpenter' },
  { who: 'a gardener who works by season', life: 'I only work part of the year' },
] as const;

export const PURPOSES = [
  'the savings jar',
  'the bus home',
  'a good coffee',
  'the phone bill',
  'a present for a friend',
  'the weekend shop',
  'a second-hand book',
] as const;
