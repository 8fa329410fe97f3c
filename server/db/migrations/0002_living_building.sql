CREATE TABLE "alarm_calls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"device_id" uuid,
	"device_name" text NOT NULL,
	"domain_id" uuid,
	"called_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_alarms" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"device_id" uuid,
	"device_name" text NOT NULL,
	"domain_id" uuid,
	"sensor" text NOT NULL,
	"state" text NOT NULL,
	"enabled_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"claimed_by" uuid,
	"claimed_by_name" text,
	"claimed_at" timestamp (3) with time zone,
	"processed_by" uuid,
	"processed_by_name" text,
	"processed_at" timestamp (3) with time zone,
	"comment" text
);
--> statement-breakpoint
CREATE TABLE "device_searches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"state" text NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "found_devices" (
	"project_id" uuid NOT NULL,
	"serial" text NOT NULL,
	"search_id" uuid NOT NULL,
	"ip_address" text NOT NULL,
	"port" integer NOT NULL,
	"type" text NOT NULL,
	"model" text NOT NULL,
	"firmware" text,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "found_devices_project_id_serial_pk" PRIMARY KEY("project_id","serial")
);
--> statement-breakpoint
CREATE TABLE "device_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"device_id" uuid,
	"device_name" text NOT NULL,
	"type" text NOT NULL,
	"priority" text DEFAULT 'low' NOT NULL,
	"user_id" uuid,
	"user_name" text,
	"identifier_type" text,
	"identifier_mask" text,
	"reason" text,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"image_file" uuid,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_tasks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"payload" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"error" text,
	"result" jsonb,
	"queued_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"model" text NOT NULL,
	"login" text NOT NULL,
	"ip_address" text,
	"port" integer DEFAULT 80 NOT NULL,
	"password_cipher" text,
	"device_login" text,
	"device_password_cipher" text,
	"sip_password_cipher" text,
	"protocol" text DEFAULT 'http' NOT NULL,
	"latitude" double precision,
	"longitude" double precision,
	"get_logs" boolean DEFAULT false NOT NULL,
	"management" jsonb NOT NULL,
	"settings" jsonb NOT NULL,
	"online" boolean,
	"status_at" timestamp (3) with time zone,
	"outage_told" boolean DEFAULT false NOT NULL,
	"heard_until" integer DEFAULT 0 NOT NULL,
	"firmware" text,
	"settings_applied_at" timestamp (3) with time zone,
	"synced_at" timestamp (3) with time zone,
	"sync_errors" jsonb DEFAULT '{"identifiers":[],"schedules":[]}'::jsonb NOT NULL,
	"token" text NOT NULL,
	CONSTRAINT "devices_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "identifiers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" uuid,
	"name" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"value" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"owner_type" text DEFAULT 'owner' NOT NULL,
	"guest_type" text,
	"period_restrict_active" boolean DEFAULT false NOT NULL,
	"period_restrict_from" timestamp (3) with time zone,
	"period_restrict_to" timestamp (3) with time zone,
	"passes_restrict_active" boolean DEFAULT false NOT NULL,
	"passes_max_count" integer,
	"passes_count" integer DEFAULT 0 NOT NULL,
	"photo_file" uuid
);
--> statement-breakpoint
CREATE TABLE "licence_settings" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"basic_period_days" integer,
	"basic_quantity" integer
);
--> statement-breakpoint
CREATE TABLE "licences" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"number" uuid NOT NULL,
	"file" text NOT NULL,
	"source" text NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"significance" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "alarm_calls" ADD CONSTRAINT "alarm_calls_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_calls" ADD CONSTRAINT "alarm_calls_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alarm_calls" ADD CONSTRAINT "alarm_calls_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_alarms" ADD CONSTRAINT "device_alarms_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_alarms" ADD CONSTRAINT "device_alarms_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_alarms" ADD CONSTRAINT "device_alarms_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_searches" ADD CONSTRAINT "device_searches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_searches" ADD CONSTRAINT "device_searches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "found_devices" ADD CONSTRAINT "found_devices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_events" ADD CONSTRAINT "device_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_events" ADD CONSTRAINT "device_events_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_tasks" ADD CONSTRAINT "device_tasks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_tasks" ADD CONSTRAINT "device_tasks_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identifiers" ADD CONSTRAINT "identifiers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identifiers" ADD CONSTRAINT "identifiers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licence_settings" ADD CONSTRAINT "licence_settings_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licences" ADD CONSTRAINT "licences_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alarm_calls_time" ON "alarm_calls" USING btree ("project_id","called_at","id");--> statement-breakpoint
CREATE INDEX "alarm_calls_device" ON "alarm_calls" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "alarm_calls_domain" ON "alarm_calls" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "device_alarms_time" ON "device_alarms" USING btree ("project_id","enabled_at","id");--> statement-breakpoint
CREATE INDEX "device_alarms_device" ON "device_alarms" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "device_alarms_domain" ON "device_alarms" USING btree ("domain_id");--> statement-breakpoint
CREATE UNIQUE INDEX "device_alarms_open" ON "device_alarms" USING btree ("device_id","sensor") WHERE "device_alarms"."state" <> 'processed';--> statement-breakpoint
CREATE INDEX "found_devices_search" ON "found_devices" USING btree ("search_id");--> statement-breakpoint
CREATE INDEX "device_events_time" ON "device_events" USING btree ("project_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "device_events_device" ON "device_events" USING btree ("device_id","occurred_at");--> statement-breakpoint
CREATE INDEX "device_events_user" ON "device_events" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_tasks_time" ON "device_tasks" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "device_tasks_device" ON "device_tasks" USING btree ("device_id","created_at");--> statement-breakpoint
CREATE INDEX "device_tasks_open" ON "device_tasks" USING btree ("status","created_at") WHERE "device_tasks"."status" in ('new', 'queued', 'started', 'waiting');--> statement-breakpoint
CREATE UNIQUE INDEX "devices_login" ON "devices" USING btree (lower("login"));--> statement-breakpoint
CREATE INDEX "devices_name" ON "devices" USING btree ("project_id",lower("name"),"id","name");--> statement-breakpoint
CREATE INDEX "devices_domain" ON "devices" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "devices_created_by" ON "devices" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "identifiers_value" ON "identifiers" USING btree ("project_id","type","value");--> statement-breakpoint
CREATE INDEX "identifiers_user" ON "identifiers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "licences_number" ON "licences" USING btree ("project_id","number");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id","created_at") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_age" ON "notifications" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "projects" DROP COLUMN "features";