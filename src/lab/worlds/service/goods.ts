/** Names that settings are made of. */
export const SHELVES: Readonly<Record<string, readonly string[]>> = {
  headphones: ['over-ear headphones', 'running headphones', 'studio headphones', 'sleep headphones'],
  lamps: ['reading lamp', 'floor lamp', 'bedside lamp', 'clamp lamp'],
  kettles: ['steel kettle', 'glass kettle', 'travel kettle', 'gooseneck kettle'],
  shoes: ['trail shoes', 'canvas shoes', 'rain shoes', 'walking shoes'],
  backpacks: ['day backpack', 'hiking backpack', 'laptop backpack', 'school backpack'],
  keyboards: ['quiet keyboard', 'compact keyboard', 'mechanical keyboard', 'split keyboard'],
  jackets: ['rain jacket', 'fleece jacket', 'down jacket', 'cycling jacket'],
  blankets: ['wool blanket', 'picnic blanket', 'weighted blanket', 'cotton blanket'],
};

export const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Carla',
  'Dmitri',
  'Elif',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kemal',
  'Lucia',
  'Marta',
  'Nils',
  'Olga',
  'Paolo',
] as const;

export const LAST_NAMES = [
  'Albers',
  'Brandt',
  'Costa',
  'Demir',
  'Eriksen',
  'Fontana',
  'Greco',
  'Hansen',
  'Ivanov',
  'Jansen',
  'Keller',
  'Lind',
  'Moreau',
  'Novak',
  'Orlov',
  'Petrov',
] as const;

export const STREETS = [
  'Mill Lane',
  'Harbour Road',
  'Chestnut Street',
  'Station Square',
  'Garden Row',
  'Bridge Street',
  'Abbey Close',
  'Market Hill',
] as const;

export const CITIES = ['Aarhus', 'Bologna', 'Cork', 'Dresden', 'Evora', 'Ghent', 'Leeds', 'Tartu'] as const;
