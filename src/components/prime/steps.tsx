import { Steps } from 'primereact/steps';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=steps';
import { Prime } from './prime.tsx';
import './steps.css';

export interface StepsProps {
  /** What the steps lead to. */
  label: string;
  steps: readonly string[];
  /** The step that is under way, from 0; those before it are done. */
  at: number;
}

/** Where somebody is in what takes several steps, by PrimeReact's Steps. Nothing in it is pressed: its links, which lead nowhere, are left out. */
export default function PrimeSteps({ label, steps, at }: StepsProps) {
  const model = steps.map((name, index) => ({
    label: name,
    template: () => (
      <span className="p-menuitem-link" aria-current={index === at ? 'step' : undefined} data-done={index < at}>
        <span className="p-steps-number">{index < at ? <i className="pi pi-check" aria-hidden="true" /> : index + 1}</span>
        <span className="p-steps-title">{name}</span>
      </span>
    ),
  }));
  return (
    <Prime>
      <Steps className="steps" aria-label={label} model={model} activeIndex={at} readOnly />
    </Prime>
  );
}
