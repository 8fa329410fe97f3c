import type { AreaName } from './areas.ts';
import type { AnyModel } from './define-model.ts';

const defined = new Map<string, AnyModel>();

/** Makes a model known: a page has those of the areas it has opened, the server all. */
export const register = (model: AnyModel): void => void defined.set(model.name, model);

/** The model of an area as code that serves all areas sees it; none where it has not come yet. */
export const knownModel = (area: AreaName): AnyModel | undefined => defined.get(area);

/** The same for code that comes only after the model. @throws Error where it has not come */
export function modelOf(area: AreaName): AnyModel {
  const model = defined.get(area);
  if (!model) throw new Error(`the model of ${area} has not been loaded`);
  return model;
}
