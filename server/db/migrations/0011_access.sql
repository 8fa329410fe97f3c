CREATE TABLE "access_rule_devices" (
	"rule_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	CONSTRAINT "access_rule_devices_rule_id_device_id_pk" PRIMARY KEY("rule_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "access_rule_groups" (
	"rule_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "access_rule_groups_rule_id_group_id_pk" PRIMARY KEY("rule_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "access_rule_identifiers" (
	"rule_id" uuid NOT NULL,
	"identifier_id" uuid NOT NULL,
	CONSTRAINT "access_rule_identifiers_rule_id_identifier_id_pk" PRIMARY KEY("rule_id","identifier_id")
);
--> statement-breakpoint
CREATE TABLE "access_rule_schedules" (
	"rule_id" uuid NOT NULL,
	"schedule_id" uuid NOT NULL,
	CONSTRAINT "access_rule_schedules_rule_id_schedule_id_pk" PRIMARY KEY("rule_id","schedule_id")
);
--> statement-breakpoint
CREATE TABLE "access_rule_users" (
	"rule_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "access_rule_users_rule_id_user_id_pk" PRIMARY KEY("rule_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "access_rules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"prohibition" boolean DEFAULT false NOT NULL,
	"is_shareable" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_copies" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"copy" jsonb NOT NULL,
	"acknowledged_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "elevator_access_rules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text
);
--> statement-breakpoint
CREATE TABLE "elevator_controllers" (
	"device_id" uuid PRIMARY KEY NOT NULL,
	"elevator_id" uuid NOT NULL,
	"mode" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "elevator_rule_floors" (
	"rule_id" uuid NOT NULL,
	"elevator_id" uuid NOT NULL,
	"floors" integer[] NOT NULL,
	CONSTRAINT "elevator_rule_floors_rule_id_elevator_id_pk" PRIMARY KEY("rule_id","elevator_id")
);
--> statement-breakpoint
CREATE TABLE "elevator_rule_users" (
	"rule_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "elevator_rule_users_rule_id_user_id_pk" PRIMARY KEY("rule_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "elevators" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"floors" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_holidays" (
	"group_id" uuid NOT NULL,
	"date" date NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "group_holidays_group_id_date_pk" PRIMARY KEY("group_id","date")
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"mon" boolean DEFAULT true NOT NULL,
	"tue" boolean DEFAULT true NOT NULL,
	"wed" boolean DEFAULT true NOT NULL,
	"thu" boolean DEFAULT true NOT NULL,
	"fri" boolean DEFAULT true NOT NULL,
	"sat" boolean DEFAULT false NOT NULL,
	"sun" boolean DEFAULT false NOT NULL,
	"from_seconds" integer DEFAULT 32400 NOT NULL,
	"to_seconds" integer DEFAULT 64800 NOT NULL,
	"valid_from" date,
	"valid_to" date,
	"is_all_day" boolean DEFAULT false NOT NULL,
	"repeat_mode" text DEFAULT 'weekly' NOT NULL,
	"holiday_mode" text DEFAULT 'holds' NOT NULL,
	"holiday_from" integer DEFAULT 32400 NOT NULL,
	"holiday_to" integer DEFAULT 64800 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_events" ADD COLUMN "identifier_id" uuid;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "copy_version" text;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "domain_id" uuid;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "lost_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "key_message" text;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "key_token" text;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "lock_numbers" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "first_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "identifiers" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "time_zone_name" text;--> statement-breakpoint
ALTER TABLE "access_rule_devices" ADD CONSTRAINT "access_rule_devices_rule_id_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_devices" ADD CONSTRAINT "access_rule_devices_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_groups" ADD CONSTRAINT "access_rule_groups_rule_id_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_groups" ADD CONSTRAINT "access_rule_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_identifiers" ADD CONSTRAINT "access_rule_identifiers_rule_id_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_identifiers" ADD CONSTRAINT "access_rule_identifiers_identifier_id_identifiers_id_fk" FOREIGN KEY ("identifier_id") REFERENCES "public"."identifiers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_schedules" ADD CONSTRAINT "access_rule_schedules_rule_id_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_schedules" ADD CONSTRAINT "access_rule_schedules_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_users" ADD CONSTRAINT "access_rule_users_rule_id_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rule_users" ADD CONSTRAINT "access_rule_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_rules" ADD CONSTRAINT "access_rules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_copies" ADD CONSTRAINT "device_copies_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_access_rules" ADD CONSTRAINT "elevator_access_rules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_controllers" ADD CONSTRAINT "elevator_controllers_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_controllers" ADD CONSTRAINT "elevator_controllers_elevator_id_elevators_id_fk" FOREIGN KEY ("elevator_id") REFERENCES "public"."elevators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_rule_floors" ADD CONSTRAINT "elevator_rule_floors_rule_id_elevator_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."elevator_access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_rule_floors" ADD CONSTRAINT "elevator_rule_floors_elevator_id_elevators_id_fk" FOREIGN KEY ("elevator_id") REFERENCES "public"."elevators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_rule_users" ADD CONSTRAINT "elevator_rule_users_rule_id_elevator_access_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."elevator_access_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevator_rule_users" ADD CONSTRAINT "elevator_rule_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevators" ADD CONSTRAINT "elevators_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "elevators" ADD CONSTRAINT "elevators_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_holidays" ADD CONSTRAINT "group_holidays_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_rule_devices_back" ON "access_rule_devices" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "access_rule_groups_back" ON "access_rule_groups" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "access_rule_identifiers_back" ON "access_rule_identifiers" USING btree ("identifier_id");--> statement-breakpoint
CREATE INDEX "access_rule_schedules_back" ON "access_rule_schedules" USING btree ("schedule_id");--> statement-breakpoint
CREATE INDEX "access_rule_users_back" ON "access_rule_users" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "access_rules_name" ON "access_rules" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE INDEX "access_rules_created_by" ON "access_rules" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "elevator_access_rules_name" ON "elevator_access_rules" USING btree ("project_id",lower("name"));--> statement-breakpoint
CREATE INDEX "elevator_controllers_elevator" ON "elevator_controllers" USING btree ("elevator_id");--> statement-breakpoint
CREATE INDEX "elevator_rule_floors_back" ON "elevator_rule_floors" USING btree ("elevator_id");--> statement-breakpoint
CREATE INDEX "elevator_rule_users_back" ON "elevator_rule_users" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "elevators_name" ON "elevators" USING btree ("domain_id",lower("name"));--> statement-breakpoint
CREATE INDEX "elevators_project" ON "elevators" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_name" ON "schedules" USING btree ("project_id",lower("name"));--> statement-breakpoint
ALTER TABLE "identifiers" ADD CONSTRAINT "identifiers_domain_id_groups_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_events_identifier" ON "device_events" USING btree ("identifier_id");--> statement-breakpoint
CREATE INDEX "identifiers_domain" ON "identifiers" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "identifiers_created_by" ON "identifiers" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "identifiers_time" ON "identifiers" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "identifiers_name" ON "identifiers" USING btree ("project_id",lower("name"),"id","name");--> statement-breakpoint
CREATE INDEX "identifiers_value_trigram" ON "identifiers" USING gin (lower("value") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "identifiers_name_trigram" ON "identifiers" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "identifiers" ADD CONSTRAINT "identifiers_key_token_unique" UNIQUE("key_token");--> statement-breakpoint
-- Until now everybody who belongs to a device's group, or to one below it, was let in: a rule for each such group says so from here on.
CREATE TEMPORARY TABLE "former_rules" AS SELECT gen_random_uuid() AS "rule_id", "groups"."id" AS "group_id", "groups"."project_id",
	row_number() OVER (PARTITION BY "groups"."project_id", lower("groups"."name") ORDER BY "groups"."created_at", "groups"."id") AS "place", "groups"."name"
	FROM "groups" WHERE "groups"."id" IN (SELECT "domain_id" FROM "devices");--> statement-breakpoint
INSERT INTO "access_rules" ("id", "project_id", "name")
	SELECT "rule_id", "project_id", CASE WHEN "place" = 1 THEN "name" ELSE "name" || ' (' || "place" || ')' END FROM "former_rules";--> statement-breakpoint
INSERT INTO "access_rule_groups" ("rule_id", "group_id") SELECT "rule_id", "group_id" FROM "former_rules";--> statement-breakpoint
INSERT INTO "access_rule_devices" ("rule_id", "device_id")
	SELECT "former_rules"."rule_id", "devices"."id" FROM "former_rules" JOIN "devices" ON "devices"."domain_id" = "former_rules"."group_id";--> statement-breakpoint
DROP TABLE "former_rules";
