DROP INDEX "device_events_user";--> statement-breakpoint
DROP INDEX "audit_events_user";--> statement-breakpoint
CREATE INDEX "device_events_type" ON "device_events" USING btree ("project_id","type","occurred_at");--> statement-breakpoint
CREATE INDEX "device_events_name_trigram" ON "device_events" USING gin (lower("device_name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "audit_events_name_trigram" ON "audit_events" USING gin (lower("entity_name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "device_events_user" ON "device_events" USING btree ("user_id","occurred_at");--> statement-breakpoint
CREATE INDEX "audit_events_user" ON "audit_events" USING btree ("user_id","created_at");