import type { ImportArea } from './import.ts';

/** One field that a file may give; a field of a block by its dotted path. */
export interface ImportColumn {
  field: string;
  /** Headings it goes by besides its name and its labels in every language. */
  headings?: readonly string[];
  /** Of a choice, the options that a file may name, where not all. */
  options?: readonly string[];
  /** May be said once for all rows instead of in a column. */
  constant?: true;
  /** A file cannot do without it. */
  required?: true;
}

/** The fields of each area that is imported, in the order in which they are offered. */
export const importColumns: Readonly<Record<ImportArea, readonly ImportColumn[]>> = {
  identifiers: [
    { field: 'type', constant: true, required: true, options: ['card', 'ukey', 'access_code', 'license_plate'], headings: ['Kind', 'Вид'] },
    {
      field: 'value',
      required: true,
      headings: ['Number', 'Card number', 'Code', 'Card', 'UID', 'Номер', 'Номер карты', 'Код', 'Карта'],
    },
    { field: 'name', headings: ['Title', 'Имя', 'Наименование'] },
    { field: 'description', headings: ['Comment', 'Note', 'Комментарий', 'Примечание'] },
    { field: 'owner', headings: ['Login', 'User', 'Owner login', 'Логин', 'Пользователь', 'Логин владельца'] },
    { field: 'domain', headings: ['Group path', 'Путь группы', 'Путь'] },
    { field: 'access_rules', headings: ['Rules', 'Access rule', 'Правила', 'Правило доступа'] },
    { field: 'is_active', headings: ['Enabled', 'Активен'] },
    { field: 'owner_type' },
    { field: 'guest_type' },
    { field: 'period_restrict_from', headings: ['From', 'С', 'Начало'] },
    { field: 'period_restrict_to', headings: ['Until', 'To', 'До', 'Окончание'] },
    { field: 'passes_max_count', headings: ['Passes', 'Проходы', 'Число проходов'] },
    { field: 'lock_numbers', headings: ['Lock', 'Замок'] },
  ],
  users: [
    { field: 'login', required: true, headings: ['Username', 'User name', 'Account', 'Учётная запись'] },
    { field: 'name', required: true, headings: ['Full name', 'Person', 'Resident', 'ФИО', 'Имя', 'Жилец'] },
    { field: 'email', headings: ['Mail', 'Email', 'Почта', 'Электронная почта'] },
    { field: 'profile.phone', headings: ['Phone number', 'Mobile', 'Номер телефона', 'Мобильный'] },
    { field: 'profile.address', headings: ['Postal address', 'Почтовый адрес'] },
    { field: 'role', required: true, headings: ['Роль'] },
    { field: 'domains', required: true, headings: ['Group', 'Apartment', 'Flat', 'Unit', 'Группа', 'Квартира', 'Помещение'] },
    { field: 'markers', headings: ['Tags', 'Marker', 'Метки', 'Маркер'] },
    { field: 'access_rules', headings: ['Rules', 'Access rule', 'Правила', 'Правило доступа'] },
    { field: 'description', headings: ['Comment', 'Note', 'Комментарий', 'Примечание'] },
  ],
  devices: [
    { field: 'login', required: true, headings: ['Serial', 'S/N', 'Login', 'Серийный номер', 'Логин'] },
    { field: 'name', required: true, headings: ['Title', 'Device', 'Имя', 'Наименование', 'Устройство'] },
    { field: 'type', constant: true, required: true, headings: ['Kind', 'Вид'] },
    { field: 'model', required: true, headings: ['Модель'] },
    { field: 'domain', required: true, headings: ['Group path', 'Object', 'Путь группы', 'Объект'] },
    { field: 'protocol', constant: true },
    { field: 'ip_address', headings: ['IP', 'Address', 'Адрес'] },
    { field: 'port' },
    { field: 'device_login' },
    { field: 'access_rules', headings: ['Rules', 'Access rule', 'Правила', 'Правило доступа'] },
    { field: 'description', headings: ['Comment', 'Note', 'Комментарий', 'Примечание'] },
  ],
};
