DROP INDEX "audit_events_time";--> statement-breakpoint
DROP INDEX "groups_name";--> statement-breakpoint
DROP INDEX "users_name";--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "users_created_by" ON "users" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "audit_events_time" ON "audit_events" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "groups_name" ON "groups" USING btree ("project_id",lower("name"),"id","name");--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree ("project_id",lower("name"),"id","name");