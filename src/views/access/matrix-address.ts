/** What the table is asked, as the address has it: a link to it shows the same to somebody else. */
export interface MatrixAddress {
  person: string;
  door: string;
  person_id: string | null;
  door_id: string | null;
  only_reached: boolean;
  people_group: string | null;
  doors_group: string | null;
  at: string | null;
  people_page: number;
  doors_page: number;
}
