/** How long a door's button is held, ms: as long as at the desk. */
const holdTime = 700;

/** Calls `held` when a button was held for a moment, by finger, pointer or key. */
export function onHold(button: HTMLButtonElement, held: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = (): void => {
    clearTimeout(timer);
    delete button.dataset['held'];
  };
  const press = (): void => {
    if (button.disabled || button.dataset['held']) return;
    button.dataset['held'] = 'true';
    timer = setTimeout(() => {
      release();
      held();
    }, holdTime);
  };
  button.addEventListener('pointerdown', press);
  for (const event of ['pointerup', 'pointerleave', 'pointercancel', 'blur', 'keyup']) button.addEventListener(event, release);
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  button.addEventListener('keydown', (event) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || event.repeat) return;
    event.preventDefault();
    press();
  });
}
